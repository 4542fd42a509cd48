"""Every call with arguments, sizes and pictures that were drawn, beside the engine."""

import fuzz
import numpy as np
import pytest

from resizelab.catalog.calls import CALLS

SEED, CASES, ENOUGH = 5, 800, 24
# JAX compiles anew for each size: `test_calls_jax` asks it for six.
HERE = [n for n in fuzz.names([]) if n in CALLS and not n.startswith("jax.")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HERE)
def test_a_call_computes_what_its_engine_does(name):
    found = fuzz.run(name, SEED, CASES, np.inf, enough=ENOUGH)
    assert sum(found.tried.values()) == ENOUGH
    assert found.faults == {}, found.shown
