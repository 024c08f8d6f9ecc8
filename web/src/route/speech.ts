import { Clips, chosenVoice, voicesFor, type Voice } from "./clips";

/** Speaks with a voice of the server, or with the browser's where that is chosen or the server's fails. */
export class Speech {
  private readonly synthesis = typeof speechSynthesis === "undefined" ? null : speechSynthesis;
  private readonly voices: readonly Voice[];
  private readonly clips: Clips;
  private readonly audio = typeof Audio === "undefined" ? null : new Audio();
  private readonly chosen = new Map<string, string>();
  /** Counts what was said: a clip that comes after something else was said is not played. */
  private turn = 0;
  private playing: string | null = null;

  constructor(voices: readonly Voice[], apiKey: string | null) {
    this.voices = voices;
    this.clips = new Clips(apiKey, (type) => !!this.audio?.canPlayType(type));
  }

  get available(): boolean {
    return this.own || (this.audio !== null && this.voices.length > 0);
  }

  /** Whether the browser speaks itself. */
  get own(): boolean {
    return this.synthesis !== null;
  }

  /** The server's voices of a language. */
  offered(language: string): Voice[] {
    return this.audio ? voicesFor(this.voices, language) : [];
  }

  /** The server's voice that speaks a language; "" is the browser's own. */
  voice(language: string): string {
    const offered = this.offered(language);
    const id = this.chosen.get(language) ?? chosenVoice.get(language);
    if (id !== null && (offered.some((v) => v.id === id) || (id === "" && this.own))) return id;
    // Some browsers have speech without a single voice.
    return this.own && (this.synthesis!.getVoices().length > 0 || offered.length === 0)
      ? ""
      : (offered[0]?.id ?? "");
  }

  choose(language: string, id: string): void {
    this.chosen.set(language, id);
    chosenVoice.set(language, id);
  }

  /** Loads a text that is soon said. */
  prepare(text: string, language: string): void {
    const voice = this.voice(language);
    if (voice && text) void this.clips.get(text, language, voice);
  }

  /** Says a text in a language (BCP 47) in place of what is being said. */
  say(text: string, language: string): void {
    if (!text) return;
    this.stop();
    const voice = this.voice(language);
    if (!voice || !this.audio) return this.synthesise(text, language);
    const { turn } = this;
    void this.clips
      .get(text, language, voice)
      .then((clip) => (clip && turn === this.turn ? this.play(clip).then(() => true) : !!clip))
      .catch(() => false)
      .then((played) => {
        if (!played && turn === this.turn) this.synthesise(text, language);
      });
  }

  stop(): void {
    this.turn++;
    this.synthesis?.cancel();
    this.audio?.pause();
  }

  private play(clip: Blob): Promise<void> {
    const before = this.playing;
    this.playing = URL.createObjectURL(clip);
    this.audio!.src = this.playing;
    // Not sooner: a browser may still be reading the clip that was stopped.
    if (before) URL.revokeObjectURL(before);
    return this.audio!.play();
  }

  private synthesise(text: string, language: string): void {
    if (!this.synthesis) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    const voice = voiceFor(this.synthesis.getVoices(), language);
    if (voice) utterance.voice = voice;
    this.synthesis.speak(utterance);
  }
}

/** A voice of the language and region, else of the language. */
function voiceFor(
  voices: readonly SpeechSynthesisVoice[],
  language: string,
): SpeechSynthesisVoice | undefined {
  const want = language.toLowerCase();
  const tag = (voice: SpeechSynthesisVoice): string => voice.lang.toLowerCase().replace("_", "-");
  return (
    voices.find((voice) => tag(voice) === want) ??
    voices.find((voice) => tag(voice).split("-")[0] === want.split("-")[0])
  );
}
