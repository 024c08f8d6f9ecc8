package main

import (
	"log/slog"
	"testing"
	"time"
)

// The engine is the server that is set, and none where the operator wants none.
func TestVoiceEngine(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	s := voiceSettings{VoiceEngine: "auto", VoiceURL: "http://127.0.0.1:1", VoiceModel: "kokoro", VoiceVoices: []string{"*=alloy"}, VoiceWorkers: 1, VoiceWait: time.Second}
	v, err := s.voice(t.Context(), t.TempDir(), log)
	if err != nil || v == nil {
		t.Fatal(v, err)
	}
	defer v.Close()
	if got := v.Engine.Version(); got != "audio/speech kokoro" {
		t.Errorf("%s", got)
	}
	s.VoiceEngine = "off"
	if v, err := s.voice(t.Context(), t.TempDir(), log); v != nil || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	s.VoiceEngine = "espeak"
	t.Setenv("PATH", t.TempDir())
	if v, err := s.voice(t.Context(), t.TempDir(), log); v != nil || err == nil {
		t.Errorf("without espeak-ng: %v, %v", v, err)
	}
	s.VoiceEngine, s.VoicePiper = "piper", []string{"de=absent.onnx"}
	if v, err := s.voice(t.Context(), t.TempDir(), log); v != nil || err == nil {
		t.Errorf("without piper: %v, %v", v, err)
	}
	s.VoiceEngine, s.VoiceURL, s.VoicePiper = "auto", "", nil
	if v, err := s.voice(t.Context(), t.TempDir(), log); v != nil || err != nil {
		t.Errorf("without any: %v, %v", v, err)
	}
}
