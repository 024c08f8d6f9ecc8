package speech

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
)

// Piper is piper on this machine (https://github.com/OHF-Voice/piper1-gpl and its forerunner
// https://github.com/rhasspy/piper), whose voices are files of models.
type Piper struct {
	path, version string
	models        []model
	running       programs
}

// model is a voice in a file.
type model struct {
	Voice
	file  string
	scale float64 // how long the model speaks at rate 1
}

// slowStart is how long piper may take to answer with its help; it loads much.
const slowStart = 30 * time.Second

// FindPiper returns the piper on the path, or at the path given, with models by language:
// en-GB=/voices/en_GB-alba-medium.onnx. The name of the file is the voice's, and its settings are
// beside it in FILE.json. It fails where piper does not work, or a file is no model.
func FindPiper(ctx context.Context, path string, models []string) (*Piper, error) {
	if path == "" {
		path = "piper"
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, slowStart)
	defer cancel()
	help, err := exec.CommandContext(ctx, path, "--help").CombinedOutput() //nolint:gosec // the operator's program
	if !strings.Contains(string(help), "--model") {
		return nil, fmt.Errorf("%s is another program than the speech engine (distributions have one of that name for mice), or does not work: %w", path, errors.Join(err, ctx.Err()))
	}
	p := &Piper{path: path, version: "piper"}
	// The newer one has no --version, and fails.
	if said, err := exec.CommandContext(ctx, path, "--version").Output(); err == nil { //nolint:gosec // as above
		p.version = strings.TrimSpace("piper " + strings.TrimSpace(string(said)))
	}
	for _, one := range models {
		m, err := readModel(one)
		if err != nil {
			return nil, err
		}
		for _, other := range p.models {
			if other.ID == m.ID {
				return nil, fmt.Errorf("two models are named %s", m.ID)
			}
		}
		p.models = append(p.models, *m)
	}
	if len(p.models) == 0 {
		return nil, errors.New("piper has no model: name some as LANGUAGE=FILE.onnx")
	}
	return p, nil
}

// readModel reads LANGUAGE=FILE.onnx, and identifies the file by what is in it.
func readModel(one string) (_ *model, err error) {
	language, file, _ := strings.Cut(strings.TrimSpace(one), "=")
	id, isModel := strings.CutSuffix(filepath.Base(file), ".onnx")
	if !isModel || !ValidID(id) || language != "*" && !narrate.IsTag(language) {
		return nil, fmt.Errorf("%q is no model; want LANGUAGE=FILE.onnx, such as en-GB=/voices/en_GB-alba-medium.onnx", one)
	}
	about, err := os.ReadFile(file + ".json")
	if err != nil {
		return nil, fmt.Errorf("the settings of the model: %w", err)
	}
	settings := struct {
		Inference struct {
			Scale float64 `json:"length_scale"`
		} `json:"inference"`
	}{}
	if err := json.Unmarshal(about, &settings); err != nil {
		return nil, fmt.Errorf("%s.json: %w", file, err)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	_, _ = h.Write(about) // never fails
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	m := &model{Voice{ID: id, Language: language, Version: hex.EncodeToString(h.Sum(nil))[:12]}, file, settings.Inference.Scale}
	if m.scale <= 0 {
		m.scale = 1
	}
	return m, nil
}

// Version returns that of the program; the voices have those of their models.
func (p *Piper) Version() string { return p.version }

// Voices lists the models.
func (p *Piper) Voices() (all []Voice) {
	for _, m := range p.models {
		all = append(all, m.Voice)
	}
	return all
}

// Close ends the programs that are running.
func (p *Piper) Close() error {
	p.running.close()
	return nil
}

// Speak has a program with the voice's model in memory speak, which reads lines from its standard
// input, one a text. Programs of equal voice and rate speak one text after the other, and are started
// where none is idle. One whose call is cancelled is ended.
func (p *Piper) Speak(ctx context.Context, r Request) ([]byte, error) {
	v, ok := Choose(p.Voices(), r.Language, r.Voice)
	if !ok {
		return nil, fmt.Errorf("piper has no voice %q of %s", r.Voice, r.Language)
	}
	for _, m := range p.models {
		if m.ID == v.ID {
			scale := m.scale / min(FastestRate, max(SlowestRate, r.Rate))
			arguments := []string{"--model", m.file, "--length_scale", strconv.FormatFloat(scale, 'f', 3, 64)}
			return p.running.speak(ctx, p.path, arguments, strings.Join(strings.Fields(r.Text), " "))
		}
	}
	return nil, fault.New(fault.Upstream, "the speech engine failed")
}
