package speech

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
)

// espeakVoices are those of espeak-ng for the languages of the narration.
var espeakVoices = []Voice{
	{ID: "en-gb", Language: "en-GB"},
	{ID: "en-us", Language: "en-US"},
	{ID: "de", Language: "de"},
	{ID: "fr-fr", Language: "fr"},
	{ID: "es", Language: "es"},
	{ID: "it", Language: "it"},
	{ID: "pt", Language: "pt-PT"},
	{ID: "pt-br", Language: "pt-BR"},
	{ID: "nl", Language: "nl"},
	{ID: "pl", Language: "pl"},
	{ID: "sv", Language: "sv"},
	{ID: "cy", Language: "cy"},
	{ID: "en-gb-scotland", Language: "en-GB"},
	{ID: "en-gb-x-rp", Language: "en-GB"},
	{ID: "es-419", Language: "es"},
}

// usualSpeed is the speed of espeak-ng at rate 1, in words a minute.
const usualSpeed = 165

// ESpeak is espeak-ng on this machine.
type ESpeak struct{ path, version string }

// FindESpeak returns the espeak-ng on the path, or at the path given; it fails where none works.
func FindESpeak(ctx context.Context, path string) (*ESpeak, error) {
	if path == "" {
		path = "espeak-ng"
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return nil, err
	}
	said, err := exec.CommandContext(ctx, path, "--version").Output() //nolint:gosec // the operator's program
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", path, err)
	}
	version, _, _ := strings.Cut(string(said), "Data at:")
	return &ESpeak{path, strings.TrimSpace(version)}, nil
}

// Version returns that of the program.
func (e *ESpeak) Version() string { return e.version }

// Voices lists the voices for the languages of the narration.
func (*ESpeak) Voices() []Voice { return espeakVoices }

// Speak has the program speak. It reads the text from its standard input; no shell and no
// argument has any of it.
func (e *ESpeak) Speak(ctx context.Context, r Request) ([]byte, error) {
	voice, ok := Choose(espeakVoices, r.Language, r.Voice)
	if !ok {
		return nil, fmt.Errorf("espeak-ng has no voice %q of %s", r.Voice, r.Language)
	}
	speed := int(math.Round(usualSpeed * min(FastestRate, max(SlowestRate, r.Rate))))
	command := exec.CommandContext(ctx, e.path, "--stdin", "-b", "1", "-v", voice.ID, "-s", strconv.Itoa(speed), "--stdout") //nolint:gosec // as above
	return speakBy(ctx, command, r.Text)
}
