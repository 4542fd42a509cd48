"""Calls of somebody who means no good: a value, or words of ours, not Python's."""

import copy
import importlib.util
import warnings

import hostile_calls
import numpy as np
import pytest

FUNCTIONS = sorted(hostile_calls.functions())
# They build a framework's graph, or ask a box hundreds of questions.
SLOW = ("identify", "why", "translate", "volumes.resize", "volumes.lazy", "exact.jax")
SLOW += ("exact.keras", "exact.torch", "exact.byte_model", "exercises.box")
NEEDS = {"exact": "onnx", "pipelines": "PIL", "volumes": "dask"}


def check_call(source, name):
    """Call a function with what nobody should give it."""
    values, named = source.one(name)
    kept = copy.deepcopy([v for v in (*values, *named.values()) if arrays(v)])
    raised = outcome(source.known[name], values, named)
    # What is not installed is said by name; tests of the engines look at that.
    fine = raised is None or isinstance(raised, ImportError)
    assert fine or hostile_calls.told(raised, 1), (name, values, named, repr(raised))
    given = [v for v in (*values, *named.values()) if arrays(v)]
    for before, after in zip(kept, given, strict=True):
        np.testing.assert_array_equal(before, after)


def outcome(function, values, named):
    """Return what a call raises, or None."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function(*values, **named)
    except Exception as error:  # anything may come: its kind is the question
        return error
    return None


def arrays(value):
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiub"


def run(name, seed, times):
    for part, module in NEEDS.items():
        if f".{part}" in name and importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    source = hostile_calls.Hostile(seed)
    for _ in range(times):
        check_call(source, name)


@pytest.mark.parametrize("name", [f for f in FUNCTIONS if not f.endswith(SLOW)])
def test_a_hostile_call_is_told_what_is_wrong(name):
    run(name, 0, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_many_hostile_calls_are_told_what_is_wrong(name):
    run(name, 1, 4 if name.endswith(SLOW) else 25)


def test_an_error_of_pythons_own_is_not_taken_for_ours():
    with pytest.raises(IndexError) as caught:
        np.arange(3)["a"]
    assert not hostile_calls.told(caught.value, 0)
