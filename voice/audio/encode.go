package audio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/thesyncim/gopus"
	"github.com/thesyncim/gopus/container/ogg"
)

// Format is a format of clips, which ends their names.
type Format string

// Formats of clips.
const (
	Opus Format = "opus" // Opus in Ogg
	M4A  Format = "m4a"  // AAC in MP4
	WAV  Format = "wav"
)

// Formats returns all of them.
func Formats() []Format { return []Format{Opus, M4A, WAV} }

// Media returns the media type.
func (f Format) Media() string {
	switch f {
	case Opus:
		return "audio/ogg; codecs=opus"
	case M4A:
		return "audio/mp4"
	case WAV:
		return "audio/wav"
	}
	return "application/octet-stream"
}

// ErrNoEncoder is the error of a format that needs ffmpeg where that is not installed.
var ErrNoEncoder = errors.New("ffmpeg is not installed")

// Encoder encodes sounds. Its zero value has no ffmpeg.
type Encoder struct{ ffmpeg string }

// FindEncoder returns the encoder of this machine: with ffmpeg where it is on the path.
func FindEncoder() *Encoder {
	path, _ := exec.LookPath("ffmpeg")
	return &Encoder{path}
}

// Has reports whether a format can be made.
func (e *Encoder) Has(f Format) bool { return f == Opus || f == WAV || f == M4A && e.ffmpeg != "" }

// Encode encodes a sound. It fails with ErrNoEncoder for M4A without ffmpeg.
func (e *Encoder) Encode(ctx context.Context, s Sound, f Format) ([]byte, error) {
	switch f {
	case WAV:
		return s.WAV(), nil
	case Opus:
		return s.opus(ctx)
	case M4A:
		return e.convert(ctx, "wav", s.WAV(), "out.m4a", "-c:a", "aac", "-b:a", "40k", "-movflags", "+faststart", "-f", "mp4")
	}
	return nil, fmt.Errorf("%q is no format of clips", f)
}

// ErrNoSound is the error of bytes that begin as no known format of sound does.
var ErrNoSound = errors.New("no file of a known format of sound")

// demuxer is ffmpeg's name of the format that a file has by its first bytes; "" for one that is
// not known.
func demuxer(file []byte) string {
	switch {
	case bytes.HasPrefix(file, []byte("OggS")):
		return "ogg"
	case bytes.HasPrefix(file, []byte("fLaC")):
		return "flac"
	case len(file) > 12 && string(file[4:8]) == "ftyp":
		return "mov"
	case bytes.HasPrefix(file, []byte("ID3")):
		return "mp3"
	case len(file) > 2 && file[0] == 0xFF && file[1]&0xF6 == 0xF0:
		return "aac"
	case len(file) > 2 && file[0] == 0xFF && file[1]&0xE0 == 0xE0:
		return "mp3"
	}
	return ""
}

// Decode reads a sound in WAV, or in MP3, Ogg, FLAC, AAC or MP4 by ffmpeg. It fails with
// ErrNoSound for anything else, and with ErrNoEncoder for another format than WAV without ffmpeg.
func (e *Encoder) Decode(ctx context.Context, file []byte) (Sound, error) {
	s, err := ReadWAV(file)
	if !errors.Is(err, ErrNoWAV) {
		return s, err
	}
	from := demuxer(file)
	if from == "" {
		return nil, ErrNoSound
	}
	wav, err := e.convert(ctx, from, file, "out.wav", "-ac", "1", "-ar", fmt.Sprint(Rate), "-t", fmt.Sprint(Longest.Seconds()), "-c:a", "pcm_s16le", "-f", "wav")
	if err != nil {
		return nil, err
	}
	return ReadWAV(wav)
}

// convert has ffmpeg make one file of another. ffmpeg reads one known format from its standard input
// alone, whatever the bytes refer to, and writes into a folder of its own, since MP4 cannot be
// written into a pipe.
func (e *Encoder) convert(ctx context.Context, from string, file []byte, name string, options ...string) (_ []byte, err error) {
	if e.ffmpeg == "" {
		return nil, ErrNoEncoder
	}
	dir, err := os.MkdirTemp("", "waygate-voice-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	to := filepath.Join(dir, name)
	arguments := append([]string{"-nostdin", "-v", "error", "-protocol_whitelist", "pipe", "-f", from, "-i", "pipe:0", "-vn", "-map_metadata", "-1", "-threads", "1"}, options...)
	command := exec.CommandContext(ctx, e.ffmpeg, append(arguments, to)...) //nolint:gosec // the arguments are ours, and no shell reads them
	command.Stdin, command.WaitDelay = bytes.NewReader(file), time.Second
	if said, err := command.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("ffmpeg: %w: %s", err, firstLine(string(said))), ctx.Err())
	}
	return os.ReadFile(to)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(200, len(line))]
}

// Of Opus for speech (RFC 6716, 7845).
const (
	opusBits  = 24_000 // a second
	opusFrame = Rate / 50
	opusUp    = 48_000 / Rate // samples of Ogg's clock for one of ours
	mostBytes = 1275          // of a packet
)

// opus encodes a sound as Opus in Ogg. The pre-skip of the header is filled by as much silence after the sound.
func (s Sound) opus(ctx context.Context) ([]byte, error) {
	encoder, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: Rate, Channels: 1, Application: gopus.ApplicationAudio})
	if err != nil {
		return nil, err
	}
	if err := encoder.SetBitrate(opusBits); err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w, err := ogg.NewWriter(&file, Rate, 1)
	if err != nil {
		return nil, err
	}
	frame, packet := make([]float32, opusFrame), make([]byte, mostBytes)
	for at := 0; at < len(s)+ogg.DefaultPreSkip/opusUp; at += opusFrame {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(frame)
		if at < len(s) {
			copy(frame, s[at:])
		}
		n, err := encoder.Encode(frame, packet)
		if err != nil {
			return nil, err
		}
		if err := w.WritePacket(packet[:n], opusFrame*opusUp); err != nil {
			return nil, err
		}
	}
	return file.Bytes(), w.Close()
}
