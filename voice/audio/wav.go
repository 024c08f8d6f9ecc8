// Package audio reads, trims, evens and encodes clips of speech. It reads WAV, and writes WAV,
// Opus in Ogg, and AAC in MP4 by ffmpeg.
package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// Rate is the sample rate of every clip, in samples a second. It is one that Opus takes,
// and has all of a voice that speech engines make.
const Rate = 24_000

// Longest is the longest sound that is read.
const Longest = 5 * time.Minute

// Sound is mono, in samples from -1 to 1, Rate of them a second.
type Sound []float32

// Duration returns how long the sound lasts.
func (s Sound) Duration() time.Duration {
	return time.Duration(len(s)) * time.Second / Rate
}

// Formats of samples in a WAV file.
const (
	formatPCM        = 1
	formatFloat      = 3
	formatExtensible = 0xFFFE
)

// form is the fmt chunk of a WAV file.
type form struct {
	format, channels, bits uint16
	rate                   uint32
}

// ErrNoWAV is the error of bytes that do not begin as a WAV file does.
var ErrNoWAV = errors.New("no WAV file")

// ReadWAV reads a WAV file with 8, 16, 24 or 32 bits or with floats of 32 bits, one or two channels
// and 8,000 to 96,000 samples a second, and makes it mono with Rate samples a second.
// A program that writes into a pipe cannot give the length of its output: a length of
// 0x7FFFF000 or more stands for all that is there, and so does 0 in a file whose own length counts
// no samples either. Any other length that the file does not have fails, as does a sound longer
// than Longest.
func ReadWAV(file []byte) (Sound, error) {
	if len(file) < 12 || string(file[:4]) != "RIFF" || string(file[8:12]) != "WAVE" {
		return nil, ErrNoWAV
	}
	var f *form
	for rest := file[12:]; len(rest) >= 8; {
		name, length := string(rest[:4]), int(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		header := len(file) - len(rest)
		if name == "data" && (length >= streamed || length == 0 && int(binary.LittleEndian.Uint32(file[4:]))+8 <= header) {
			length = len(rest)
		}
		if length > len(rest) {
			return nil, fmt.Errorf("the WAV file breaks off: its part %q has %d of %d bytes", name, len(rest), length)
		}
		part := rest[:length]
		switch name {
		case "fmt ":
			var err error
			if f, err = readForm(part); err != nil {
				return nil, err
			}
		case "data":
			if f == nil {
				return nil, errors.New("the WAV file does not say what its samples are")
			}
			return f.sound(part)
		}
		rest = rest[min(len(rest), length+length%2):]
	}
	return nil, errors.New("the WAV file has no samples")
}

// streamed is the least length that programs write where it is unknown.
const streamed = 0x7FFFF000

func readForm(part []byte) (*form, error) {
	if len(part) < 16 {
		return nil, errors.New("the WAV file does not say what its samples are")
	}
	f := &form{
		format: binary.LittleEndian.Uint16(part), channels: binary.LittleEndian.Uint16(part[2:]),
		rate: binary.LittleEndian.Uint32(part[4:]), bits: binary.LittleEndian.Uint16(part[14:]),
	}
	if f.format == formatExtensible && len(part) >= 26 {
		f.format = binary.LittleEndian.Uint16(part[24:])
	}
	ok := f.format == formatPCM && (f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32) || f.format == formatFloat && f.bits == 32
	if !ok || f.channels < 1 || f.channels > 2 || f.rate < 8_000 || f.rate > 96_000 {
		return nil, fmt.Errorf("a WAV file of format %d with %d channels, %d bits and %d samples a second is not read", f.format, f.channels, f.bits, f.rate)
	}
	return f, nil
}

// sound reads samples.
func (f *form) sound(data []byte) (Sound, error) {
	width := int(f.bits / 8)
	frame := width * int(f.channels)
	n := len(data) / frame
	if longest := int(Longest.Seconds()) * int(f.rate); n > longest {
		return nil, fmt.Errorf("the sound lasts %.0f s, longer than %.0f s", float64(n)/float64(f.rate), Longest.Seconds())
	}
	s := make(Sound, n)
	for i := range s {
		sum := float32(0)
		for c := range int(f.channels) {
			sum += f.sample(data[i*frame+c*width:])
		}
		s[i] = sum / float32(f.channels)
	}
	return resample(s, int(f.rate), Rate), nil
}

// sample reads one sample.
func (f *form) sample(b []byte) float32 {
	switch {
	case f.format == formatFloat:
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if math.IsNaN(float64(v)) {
			return 0
		}
		return min(1, max(-1, v))
	case f.bits == 8:
		return (float32(b[0]) - 128) / 128
	case f.bits == 16:
		return float32(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
	case f.bits == 24:
		return float32(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	}
	return float32(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
}

// WAV writes a sound as a WAV file with 16 bits.
func (s Sound) WAV() []byte {
	var b bytes.Buffer
	b.Grow(44 + 2*len(s))
	u32 := func(v int) { b.Write(binary.LittleEndian.AppendUint32(nil, uint32(v))) }
	u16 := func(v int) { b.Write(binary.LittleEndian.AppendUint16(nil, uint16(v))) }
	b.WriteString("RIFF")
	u32(36 + 2*len(s))
	b.WriteString("WAVEfmt ")
	u32(16)
	u16(formatPCM)
	u16(1)
	u32(Rate)
	u32(2 * Rate)
	u16(2)
	u16(16)
	b.WriteString("data")
	u32(2 * len(s))
	for _, v := range s {
		u16(int(pcm(v)))
	}
	return b.Bytes()
}

// pcm returns a sample in 16 bits.
func pcm(v float32) int16 {
	return int16(math.Round(float64(min(1, max(-1, v))) * math.MaxInt16))
}
