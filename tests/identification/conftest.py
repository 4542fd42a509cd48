"""Operators and answers of all rows are kept: most tests ask for the same sizes."""

from functools import lru_cache

import pytest

from resizelab.arrays import resizing
from resizelab.axis import recipe
from resizelab.identification import scores


@pytest.fixture(scope="package", autouse=True)
def kept():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resizing, "_operator", lru_cache(20_000)(recipe.weights))
        asked = scores.predicted.__wrapped__
        patch.setattr(scores, "predicted", lru_cache(20_000)(asked))
        yield
