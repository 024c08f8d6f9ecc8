/** Speaks with the browser's voice, where it has one. */
export class Speech {
  private readonly synthesis = typeof speechSynthesis === "undefined" ? null : speechSynthesis;

  get available(): boolean {
    return this.synthesis !== null;
  }

  /** Says a text in a language (BCP 47) in place of what is being said. */
  say(text: string, language: string): void {
    if (!this.synthesis || !text) return;
    this.stop();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = language;
    const voice = voiceFor(this.synthesis.getVoices(), language);
    if (voice) utterance.voice = voice;
    this.synthesis.speak(utterance);
  }

  stop(): void {
    this.synthesis?.cancel();
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
