/** Makes the snapshot that starts the next visit quickly; ends by itself. */
import { makeSnapshot } from "./runtime";

onmessage = ({ data }: MessageEvent<{ runtime: string }>) => {
  void makeSnapshot(data.runtime)
    .catch((error: unknown) => console.warn("no snapshot for the next visit", error))
    .finally(() => close());
};
