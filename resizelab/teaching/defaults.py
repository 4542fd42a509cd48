"""What "resize, linear" means in each library when nothing else is said: one list."""

LINEAR = {
    "torch": "torch.bilinear",
    "TensorFlow 2": "tf2.bilinear",
    "Keras": "keras.resizing.bilinear",
    "OpenCV": "opencv.linear",
    "ONNX Runtime": "onnxruntime.linear",
    "Pillow": "pillow.bilinear",
    "JAX": "jax.linear",
    "scikit-image": "skimage.linear",
    "SciPy": "scipy.zoom.linear",
    "TensorFlow 1": "tf1.bilinear",
}
