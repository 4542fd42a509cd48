"""Ten lines of torch that write what every module and every resize returns."""

HOOK = """\
import numpy as np, torch
def dump(path, model, **inputs):  # dump("dump.npz", model.eval(), x=x)
    seen = dict(inputs)
    keep = lambda n, y: seen.update({n: y.detach().clone()} if torch.is_tensor(y) else {})
    class Resizes(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, f, types, args=(), kwargs=None):
            y = f(*args, **(kwargs or {}))
            return keep(f"interpolate.{len(seen)}", y) or y if f is torch.nn.functional.interpolate else y
    hooks = [m.register_forward_hook(lambda m, i, y, n=n: keep(n or "output", y)) for n, m in model.named_modules()]
    with torch.no_grad(), Resizes(): model(*inputs.values())
    np.savez(path, **{k: v.numpy(force=True) for k, v in seen.items()}); [h.remove() for h in hooks]
"""  # noqa: E501 (to paste into a notebook: few lines matter more than short ones)
