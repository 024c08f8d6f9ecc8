package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/cmd/waygate/offline"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/voice/audio"
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

// TestVoicePack fills the bank for a town, publishes it, pulls the territory's pack and finds a
// street's clip in it; piper is a program with its command line.
func TestVoicePack(t *testing.T) {
	town := towntest.Draw(t, "a---b\n    |\n    c", towntest.Ways{{"ab", "primary name=Lane"}, {"bc", "residential name=Hill"}})
	region, bin, data := t.TempDir(), t.TempDir(), t.TempDir()
	if _, err := importer.Run(t.Context(), importer.Options{Dir: region, Sources: []string{town.PBF(t)}, ID: "town", NoMap: true, Builder: "test"}); err != nil {
		t.Fatal(err)
	}
	sound := make(audio.Sound, audio.Rate/8)
	for i := range sound {
		sound[i] = 0.5
	}
	program := "#!/bin/sh\ncase \"$1\" in --help) echo --model; exit;; --version) exit 2;; esac\nwhile read -r line; do n=$((n+1)); cat " + bin + "/sound.wav >$6/$n.wav; echo $6/$n.wav; done\n"
	for name, text := range map[string]string{"sound.wav": string(sound.WAV()), "piper": program, "anna.onnx": "weights", "anna.onnx.json": "{}"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700); err != nil { //nolint:gosec // one is to be run
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	how := repertoire{Region: region, Language: "de", Rate: 1, Media: audio.WAV, Roads: 1, Settings: voiceSettings{VoiceEngine: "piper", VoicePiper: []string{"de=" + bin + "/anna.onnx"}, VoiceVoices: []string{"*=alloy"}, VoiceWorkers: 8, VoiceWait: time.Second}}
	fill := voiceFillCommand{repertoire: how, Data: data}
	publish := voicePackCommand{repertoire: how, Publisher: offline.Publisher{Data: data}}
	if err := publish.run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "voice fill") {
		t.Errorf("without a clip: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fill.run(ended, io.Discard, io.Discard); err == nil {
		t.Error("an interrupted one passes for whole")
	}
	for _, want := range []string{" clips made, 0 held before", ": 0 clips made, "} {
		var out bytes.Buffer
		if err := fill.run(t.Context(), &out, io.Discard); err != nil || !strings.Contains(out.String(), want) {
			t.Fatalf("%q, %v", out.String(), err)
		}
	}
	if err := publish.run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "territory build") {
		t.Errorf("without a territory: %v", err)
	}
	var territories offline.Command
	territories.Build.Data, territories.Build.Sources = data, []string{region}
	if err := territories.Build.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := publish.run(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	layers, err := filepath.Glob(filepath.Join(data, "territories", "layers", "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, file := range layers {
		var out bytes.Buffer
		find := voiceFindCommand{Pack: file, Text: "In 400 Metern biegen Sie rechts auf Lane ab.", Out: filepath.Join(data, "out")}
		if err := find.run(&out); err == nil {
			found = out.String()
		}
		find.Text = "Biegen Sie rechts auf die Hauptstraße ab."
		if err := find.run(io.Discard); err == nil {
			t.Errorf("%s speaks of a road that is not there", file)
		}
	}
	if clips, _ := filepath.Glob(filepath.Join(data, "out", "*.wav")); len(clips) == 0 || !strings.Contains(found, "Lane") {
		t.Errorf("%v: %q", clips, found)
	}
	for _, wrong := range []func(*repertoire){
		func(r *repertoire) { r.Language = "tlh" }, func(r *repertoire) { r.Rate = 3 }, func(r *repertoire) { r.Roads = -1 }, func(r *repertoire) { r.Region = data },
		func(r *repertoire) { r.Voice = "nobody" }, func(r *repertoire) { r.Language = "fr" }, func(r *repertoire) { r.Settings.VoiceEngine = "off" },
	} {
		bad := fill
		wrong(&bad.repertoire)
		if err := bad.run(t.Context(), io.Discard, io.Discard); err == nil {
			t.Errorf("%+v passes", bad.repertoire)
		} else if fmt.Sprint(err) == "" {
			t.Error("without a word")
		}
	}
}
