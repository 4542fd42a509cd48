"""The page "backends": what its engines give is what was recorded."""

import json

import pytest

record_backends = pytest.importorskip("record_backends")

pytestmark = pytest.mark.slow
RECORDED = json.loads(record_backends.RECORD.read_text(encoding="utf-8"))
ENGINES = [name for name in RECORDED if name != record_backends.LOW]


@pytest.fixture(scope="module")
def live():
    for package in ("torch", "tensorflow", "onnxruntime", "openvino", "ncnn"):
        pytest.importorskip(package)
    pytest.importorskip("ai_edge_litert")
    return record_backends.measure()


def test_every_engine_is_recorded():
    assert ENGINES == ["ONNX Runtime", "OpenVINO", "LiteRT", "ncnn"]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("side", ["given", "mended"])
def test_live_equals_recorded(live, name, side):
    found, wanted = live[name][side], RECORDED[name][side]
    assert found["first"] == wanted["first"]
    assert found["cosine"] == pytest.approx(wanted["cosine"], abs=1e-5)
    assert found["relative"] == pytest.approx(wanted["relative"], rel=1e-3, abs=1e-5)
    assert found["changed"] == pytest.approx(wanted["changed"], abs=1e-4)
    assert found["miou"] == pytest.approx(wanted["miou"], abs=1e-4)


def test_the_fault_is_seen_and_the_mending_closes_the_gap(live):
    for name in ENGINES:
        assert live[name]["given"]["first"] == "/up1/Resize_output_0"
        assert live[name]["given"]["relative"] > 0.2
        assert live[name]["mended"]["first"] == ""
        assert live[name]["mended"]["relative"] < 1e-5


def test_a_low_precision_is_not_blamed_on_a_resize(live):
    """On a processor without bfloat16 OpenVINO may compute in float32 instead."""
    recorded, found = RECORDED[record_backends.LOW]["good"], live[record_backends.LOW]
    assert recorded["first"] == "/down1/Conv_output_0"
    assert 1e-3 < recorded["relative"] < 1e-2
    assert found["good"]["first"] in (recorded["first"], "")
    assert found["good"]["relative"] < 1e-2
