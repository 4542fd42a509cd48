// One line of JSON in, one line out: resize a grey picture with a library of npm, or in
// a browser. Asked: {call: 'library method', options, h, w, oh, ow, data}, in base64.
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';

const version = (name) =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version;
const bytes = (ask) => new Uint8Array(Buffer.from(ask.data, 'base64'));
const text = (array) => Buffer.from(array.buffer ?? array).toString('base64');

function coloured(grey) {
  const four = new Uint8ClampedArray(grey.length * 4);
  grey.forEach((v, i) => four.set([v, v, v, 255], 4 * i));
  return four;
}
const grey = (four) => Uint8Array.from({ length: four.length / 4 }, (_, i) => four[4 * i]);

// What runs inside a page; it must not name anything of this file.
async function inPage(ask) {
  const { w, h, ow, oh, options, method } = ask;
  const four = Uint8ClampedArray.from(atob(ask.data), (c) => c.charCodeAt(0));
  const picture = new ImageData(w, h);
  four.forEach((v, i) => picture.data.set([v, v, v, 255], 4 * i));
  const target = new OffscreenCanvas(ow, oh).getContext('2d', { willReadFrequently: true });
  if (method === 'createImageBitmap') {
    const size = { resizeWidth: ow, resizeHeight: oh };
    const plain = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };
    target.drawImage(await createImageBitmap(picture, { ...size, ...plain, ...options }), 0, 0);
  } else {
    const source = new OffscreenCanvas(w, h);
    source.getContext('2d', { willReadFrequently: true }).putImageData(picture, 0, 0);
    Object.assign(target, options);
    target.drawImage(source, 0, 0, w, h, 0, 0, ow, oh);
  }
  const read = target.getImageData(0, 0, ow, oh).data;
  let made = '';
  for (let i = 0; i < ow * oh; i++) made += String.fromCharCode(read[4 * i]);
  return btoa(made);
}

const pages = {};
async function page(browser) {
  if (!pages[browser]) {
    const { launch } = await import('puppeteer-core');
    const executablePath = process.env[`${browser.toUpperCase()}_PATH`];
    const args = browser === 'chrome' ? ['--no-sandbox'] : [];
    const opened = await launch({ browser, executablePath, args, headless: true });
    pages[browser] = { opened, page: await opened.newPage() };
  }
  return pages[browser];
}

const CALLS = {
  async sharp({ h, w, oh, ow, options, ...ask }) {
    const { default: sharp } = await import('sharp');
    const raw = { raw: { width: w, height: h, channels: 1 } };
    const { data, info } = await sharp(bytes(ask), raw)
      .resize(ow, oh, { fit: 'fill', ...options })
      .toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
    return data.filter((_, i) => i % info.channels === 0);
  },
  async jimp({ h, w, oh, ow, options, ...ask }) {
    const { Jimp } = await import('jimp');
    const data = Buffer.from(coloured(bytes(ask)).buffer);
    const made = new Jimp({ data, width: w, height: h }).resize({ w: ow, h: oh, ...options });
    return grey(made.bitmap.data);
  },
  async pica({ h, w, oh, ow, options, ...ask }) {
    const { default: pica } = await import('pica');
    const src = new Uint8Array(coloured(bytes(ask)).buffer);
    const size = { src, width: w, height: h, toWidth: ow, toHeight: oh, unsharpAmount: 0 };
    return grey(await pica({ features: ['js'] }).resizeBuffer({ ...size, ...options }));
  },
  async 'image-js'({ h, w, oh, ow, options, ...ask }) {
    const { Image } = await import('image-js');
    const image = new Image(w, h, { data: bytes(ask), colorModel: 'GREY' });
    const size = { width: ow, height: oh, preserveAspectRatio: false };
    return Uint8Array.from(image.resize({ ...size, ...options }).getRawImage().data);
  },
  async 'napi-canvas'({ h, w, oh, ow, options, ...ask }) {
    const { createCanvas } = await import('@napi-rs/canvas');
    const source = createCanvas(w, h);
    const data = source.getContext('2d').createImageData(w, h);
    data.data.set(coloured(bytes(ask)));
    source.getContext('2d').putImageData(data, 0, 0);
    const target = createCanvas(ow, oh).getContext('2d');
    Object.assign(target, options);
    target.drawImage(source, 0, 0, w, h, 0, 0, ow, oh);
    return grey(target.getImageData(0, 0, ow, oh).data);
  },
  async tfjs({ h, w, oh, ow, options, ...ask }) {
    const { createRequire } = await import('node:module');
    const tf = createRequire(import.meta.url)('@tensorflow/tfjs-core');
    createRequire(import.meta.url)('@tensorflow/tfjs-backend-cpu');
    await tf.setBackend('cpu');
    const x = tf.tensor4d(new Float32Array(bytes(ask).buffer), [1, h, w, 1]);
    const { op, alignCorners, halfPixelCenters } = options;
    const y = tf.image[op](x, [oh, ow], alignCorners, halfPixelCenters);
    return Float32Array.from(await y.data());
  },
};
const PACKAGES = { 'napi-canvas': '@napi-rs/canvas', tfjs: '@tensorflow/tfjs-core' };

async function answer(ask) {
  const [name, method] = ask.call.split(' ');
  const browser = { chromium: 'chrome', firefox: 'firefox' }[name];
  if (ask.version) {
    if (browser) return { version: (await (await page(browser)).opened.version()) };
    return { version: version(PACKAGES[name] ?? name) };
  }
  if (browser) {
    const shown = (await page(browser)).page;
    return { data: await shown.evaluate(inPage, { ...ask, method }) };
  }
  return { data: text(await CALLS[name](ask)) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line)).catch((e) => ({ error: `${e.message ?? e}` }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
for (const { opened } of Object.values(pages)) await opened.close();
