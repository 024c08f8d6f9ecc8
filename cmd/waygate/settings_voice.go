package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/voice/speech"
)

// voiceSettings are the settings of speech.
type voiceSettings struct {
	VoiceEngine  string        `env:"SVC_VOICE_ENGINE" default:"auto" enum:"auto,off,espeak,piper,server" help:"Speech engine: auto uses SVC_VOICE_URL if it is set, and else the models of SVC_VOICE_PIPER and espeak-ng if it is installed (${enum})."`
	VoicePiper   []string      `env:"SVC_VOICE_PIPER" help:"Models of piper, which must be on the path, as LANGUAGE=FILE.onnx, separated by commas, the preferred first." placeholder:"LANGUAGE=FILE"`
	VoiceURL     string        `name:"voice-url" env:"SVC_VOICE_URL" help:"Address of a server with OpenAI's audio/speech; see docs/voice.md." secret:"url" placeholder:"URL"`
	VoiceKey     string        `env:"SVC_VOICE_KEY" help:"Key of the server at SVC_VOICE_URL." secret:"all" placeholder:"KEY"`
	VoiceModel   string        `env:"SVC_VOICE_MODEL" default:"tts-1" help:"Model of the server at SVC_VOICE_URL; a new name makes new clips."`
	VoiceVoices  []string      `env:"SVC_VOICE_VOICES" default:"*=alloy" help:"Voices of the server at SVC_VOICE_URL, as LANGUAGE=VOICE, separated by commas, the preferred first; * is every language."`
	VoiceStore   string        `env:"SVC_VOICE_STORE" help:"Store of clips: a folder or s3://bucket/prefix; by default voice in the data folder." placeholder:"DIR"`
	VoiceWorkers int           `env:"SVC_VOICE_WORKERS" default:"2" help:"Clips that are made at once, 1 to 64."`
	VoiceWait    time.Duration `env:"SVC_VOICE_WAIT" default:"3s" help:"How long a request waits for new clips before they are pending."`
}

func (s *voiceSettings) validate() error {
	switch {
	case s.VoiceEngine == "server" && s.VoiceURL == "":
		return errors.New("SVC_VOICE_ENGINE is server but SVC_VOICE_URL is empty")
	case s.VoiceEngine == "piper" && len(s.VoicePiper) == 0:
		return errors.New("SVC_VOICE_ENGINE is piper but SVC_VOICE_PIPER is empty")
	case s.VoiceWorkers < 1 || s.VoiceWorkers > 64:
		return fmt.Errorf("SVC_VOICE_WORKERS is %d; it must be 1 to 64", s.VoiceWorkers)
	case s.VoiceWait <= 0:
		return fmt.Errorf("SVC_VOICE_WAIT is %s; it must be above 0", s.VoiceWait)
	}
	if _, err := speech.ReadVoices(s.VoiceVoices); err != nil {
		return fmt.Errorf("SVC_VOICE_VOICES: %w", err)
	}
	return nil
}

// speaks opens the speech engine; nil is none.
func (s *voiceSettings) speaks(ctx context.Context, log *slog.Logger) (speech.Engine, error) {
	if s.VoiceEngine == "server" || s.VoiceEngine == "auto" && s.VoiceURL != "" {
		voices, err := speech.ReadVoices(s.VoiceVoices)
		if err != nil {
			return nil, fmt.Errorf("SVC_VOICE_VOICES: %w", err)
		}
		return speech.NewServer(speech.ServerOptions{URL: s.VoiceURL, Key: s.VoiceKey, Model: s.VoiceModel, Voices: voices}), nil
	}
	var local speech.Combined
	if s.VoiceEngine == "piper" || s.VoiceEngine == "auto" && len(s.VoicePiper) > 0 {
		p, err := speech.FindPiper(ctx, "", s.VoicePiper)
		if err != nil {
			return nil, fmt.Errorf("SVC_VOICE_PIPER: %w", err)
		}
		local = append(local, p)
	}
	if s.VoiceEngine == "espeak" || s.VoiceEngine == "auto" {
		e, err := speech.FindESpeak(ctx, "")
		switch {
		case err == nil:
			local = append(local, e)
		case s.VoiceEngine == "espeak":
			return nil, fmt.Errorf("SVC_VOICE_ENGINE is espeak: %w", err)
		case !errors.Is(err, exec.ErrNotFound):
			log.Warn("espeak-ng does not work", "error", err)
		}
	}
	switch len(local) {
	case 0:
		return nil, nil //nolint:nilnil // having none is no failure
	case 1:
		return local[0], nil
	}
	return local, nil
}

// voice opens what makes clips of speech; nil makes none.
func (s *voiceSettings) voice(ctx context.Context, data string, log *slog.Logger) (*voice.Service, error) {
	engine, err := s.speaks(ctx, log)
	if err != nil || engine == nil {
		return nil, err
	}
	place := s.VoiceStore
	if place == "" {
		if data, err = files.DataFolder(data); err != nil {
			log.Warn("there is no data folder for clips of speech, so there is no voice", "error", err)
			return nil, nil //nolint:nilnil // as above
		}
		place = filepath.Join(data, "voice")
	}
	store, err := blob.Open(place)
	if err != nil {
		return nil, fmt.Errorf("SVC_VOICE_STORE: %w", err)
	}
	encoder := audio.FindEncoder()
	log.Info("voice", "engine", engine.Version(), "voices", len(engine.Voices()), "m4a", encoder.Has(audio.M4A))
	return voice.New(voice.Options{Engine: engine, Store: store, Encoder: encoder, Workers: s.VoiceWorkers, Wait: s.VoiceWait, Log: log}), nil
}
