import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Camera } from "../src/board/camera.svelte";
import type { Field } from "../src/board/lens";

const FIELD: Field = { window: { left: 0, top: 0, width: 300, height: 300 }, extent: { left: 0, top: 0, width: 300, height: 300 } };

function following(points: { x: number; y: number }[]): Camera {
  const camera = new Camera();
  camera.fit(FIELD);
  camera.follow(points, 24, points);
  return camera;
}
const CLOSE = [{ x: 100, y: 100 }, { x: 110, y: 100 }];

describe("the camera", () => {
  let reduced = false;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("matchMedia", () => ({ matches: reduced }));
    vi.stubGlobal("requestAnimationFrame", (then: (now: number) => void) => setTimeout(() => then(performance.now()), 16));
    vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    reduced = false;
  });

  it("glides to the choices and, when there are none, to the whole board", async () => {
    const camera = following(CLOSE);
    expect([camera.lens.scale, camera.turning]).toEqual([1, true]);
    await vi.advanceTimersByTimeAsync(400);
    const close = camera.lens.scale;
    expect(close).toBeGreaterThan(2);

    let rests = false;
    void camera.rest()?.then(() => (rests = true));
    expect(camera.lens.scale).toBe(close);
    await vi.advanceTimersByTimeAsync(130);
    expect(camera.lens.scale).toBeGreaterThan(1);
    expect(camera.lens.scale).toBeLessThan(close);
    expect(rests).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect([camera.lens.scale, camera.turning, rests]).toEqual([1, false, true]);
    expect(camera.rest()).toBeUndefined();
  });

  it("does not glide with reduced motion, and keeps the view that the user chose", async () => {
    reduced = true;
    const camera = following(CLOSE);
    expect([camera.isClose, camera.turning]).toEqual([true, false]);
    void camera.rest();
    expect(camera.lens.scale).toBe(1);
    camera.zoomIn();
    expect(camera.rest()).toBeUndefined();
    expect(camera.isClose).toBe(true);
  });

  it("keeps the zoom while the next choices are in view", async () => {
    const camera = following(CLOSE);
    await vi.advanceTimersByTimeAsync(400);
    const { lens } = camera;
    camera.follow([{ x: 100, y: 100 }, { x: 112, y: 104 }], 24, []);
    await vi.advanceTimersByTimeAsync(400);
    expect(camera.lens).toEqual(lens);
  });
});
