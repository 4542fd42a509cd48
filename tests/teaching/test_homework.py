"""Homework: the solution passes, and each known slip fails and is named."""

import ast
import random

import numpy as np
import pytest

import resizelab as rl
from resizelab import engines
from resizelab.teaching import homework
from resizelab.teaching.homework.task import judge

NAMES = homework.names()
TASKS = {name: homework.task(name) for name in NAMES}
SLIPS = [(name, label) for name in NAMES for label in TASKS[name].slips]
every_task = pytest.mark.parametrize("name", NAMES)


def test_there_are_tasks_and_each_knows_slips():
    assert len(NAMES) >= 6
    assert all(len(task.slips) >= 3 for task in TASKS.values())


@every_task
def test_the_solution_passes_wherever_it_is_asked(name):
    task = TASKS[name]
    homework.check(name, task.solution)
    for seed in range(20):
        homework.check(name, task.solution, task.hidden(random.Random(seed)))


@pytest.mark.parametrize(("name", "label"), SLIPS)
def test_a_slip_fails_the_hidden_cases_and_is_named(name, label):
    wrong, told = TASKS[name].slips[label]
    for seed in range(10):
        cases = TASKS[name].hidden(random.Random(seed))
        with pytest.raises(AssertionError) as said:
            homework.check(name, wrong, cases)
        assert f"this is {label}. {told}" in str(said.value)


@every_task
def test_learners_begin_with_a_stub_that_does_nothing(name):
    task = TASKS[name]
    (made,) = ast.parse(task.stub).body
    assert made.name == task.solution.__name__
    assert ast.get_docstring(made) == task.solution.__doc__
    assert len(made.body) == 2, "the docstring, and that nothing is written"
    known = {}
    exec(f"{task.needs}\n{task.stub}", known)
    with pytest.raises(NotImplementedError):
        homework.check(name, known[made.name])


@every_task
def test_the_rubric_holds_points_slips_and_a_solution_that_runs(name):
    task, text = TASKS[name], homework.rubric(TASKS[name])
    for words in (*task.rubric, *task.slips, task.think, task.title):
        assert words in text
    known = {}
    exec(text.split("```python\n")[1].split("```")[0], known)
    homework.check(name, known[task.solution.__name__])


@pytest.mark.parametrize(
    ("name", "call", "sizes"),
    [
        ("linear-weights", "torch.bilinear", [(4, 8), (9, 4), (7, 12), (1, 3)]),
        ("nearest-rule", "torch.nearest", [(3, 123), (2, 82), (9, 3), (5, 7)]),
        ("antialias-weights", "torch.bilinear.antialias", [(12, 5), (3, 7)]),
    ],
)
def test_the_solution_is_what_the_real_library_says(name, call, sizes):
    convention = rl.convention(call)
    if not engines.available()[convention.library]:
        pytest.skip(f"{convention.library} is not installed")
    for n_in, n_out in sizes:
        row = np.random.default_rng(n_in).uniform(0, 9, n_in).astype(np.float32)
        ours = np.asarray(TASKS[name].solution(n_in, n_out))
        ours = row[ours] if ours.ndim == 1 else ours @ row
        np.testing.assert_allclose(ours, engines.run(convention, row, n_out), atol=2e-5)


def says(name, function):
    with pytest.raises(AssertionError) as said:
        homework.check(name, function)
    return str(said.value)


def test_what_nobody_knows_is_told_by_its_numbers():
    words = says("linear-weights", lambda a, b: np.full((b, a), 7.0))
    assert words == (
        "linear_weights(4, 8): your answer begins 7, 7, 7 (its shape is (8, 4)). "
        "Nothing known here gives that."
    )
    assert "None: is there a return" in says("linear-weights", lambda a, b: None)
    assert "begins 'half'" in says("culprit", lambda x, y: "half")
    assert "Nothing known" in says("there-and-back", lambda x, k: 3)
    assert "Nothing known" in says("linear-weights", lambda a, b: [[1], [1, 2]])


def test_a_slip_is_named_by_all_cases_and_else_by_the_first_that_fails():
    task = TASKS["nearest-rule"]
    rounded = task.slips["rounded"][0]

    def sometimes(n_in, n_out):
        return (rounded if n_in == 5 else task.solution)(n_in, n_out)

    assert "this is rounded" in says("nearest-rule", sometimes)


def test_a_function_that_writes_into_its_arguments_is_judged_alike():
    def greedy(x, size, name):
        out = TASKS["exact-layer"].solution(x, size, name)
        x[:] = 0
        return out

    homework.check("exact-layer", greedy)
    with pytest.raises(AssertionError, match="another type"):
        judge(
            TASKS["exact-layer"],
            TASKS["exact-layer"].slips["another type"][0],
            TASKS["exact-layer"].shown,
        )


def test_an_unknown_task_gets_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'nearest-rule'"):
        homework.check("nearest-rules", print)
