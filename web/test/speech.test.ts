import { afterEach, expect, test, vi } from "vitest";
import { Speech } from "../src/route/speech";

afterEach(() => vi.unstubAllGlobals());

/** A browser that notes what it speaks and plays, with a server that answers with a status. */
function browser(status: number): string[] {
  const said: string[] = [];
  vi.stubGlobal("document", { baseURI: "http://h/" });
  vi.stubGlobal("speechSynthesis", {
    getVoices: () => [],
    cancel: () => undefined,
    speak: ({ text }: { text: string }) => said.push(`own ${text}`),
  });
  vi.stubGlobal(
    "SpeechSynthesisUtterance",
    class {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  );
  vi.stubGlobal(
    "Audio",
    class {
      canPlayType = () => "probably";
      pause = () => undefined;
      play = () => Promise.resolve(void said.push("clip"));
    },
  );
  vi.stubGlobal("fetch", () =>
    Promise.resolve(new Response("OggS", { status, headers: { "Content-Type": "audio/ogg" } })),
  );
  return said;
}

const VOICES = [{ id: "alba", language: "en-GB" }];

test("the server speaks, and the browser where the server does not or is not chosen", async () => {
  for (const [status, language, want] of [
    [200, "en-GB", "clip"],
    [504, "en-GB", "own Left."],
    [200, "sv", "own Left."],
  ] as const) {
    const said = browser(status);
    new Speech(VOICES, null).say("Left.", language);
    await vi.waitFor(() => expect(said).toEqual([want]));
  }
  const said = browser(200);
  const speech = new Speech(VOICES, null);
  speech.choose("en-GB", "");
  speech.say("Left.", "en-GB");
  expect(said).toEqual(["own Left."]);
});

test("of two texts at once the later one is heard", async () => {
  const said = browser(504);
  const speech = new Speech(VOICES, null);
  speech.say("Left.", "en-GB");
  speech.say("Right.", "en-GB");
  await vi.waitFor(() => expect(said).toEqual(["own Right."]));
});
