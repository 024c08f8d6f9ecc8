package audio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/thesyncim/gopus"
	"github.com/thesyncim/gopus/container/ogg"
	"gotest.tools/v3/assert"
)

// tone returns a sine at a rate of samples.
func tone(hertz, amplitude float64, length time.Duration, rate int) []float32 {
	s := make([]float32, int(length.Seconds()*float64(rate)))
	for i := range s {
		s[i] = float32(amplitude * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate)))
	}
	return s
}

// power returns that of one frequency in a sound, by Goertzel's algorithm, as an amplitude.
func power(s []float32, hertz float64, rate int) float64 {
	c := 2 * math.Cos(2*math.Pi*hertz/float64(rate))
	var a, b float64
	for _, v := range s {
		a, b = float64(v)+c*a-b, a
	}
	return 2 * math.Sqrt(a*a+b*b-c*a*b) / float64(len(s))
}

// file returns a WAV file of a tone on every channel.
func file(format, channels, bits uint16, rate int, s []float32) []byte {
	var data []byte
	for _, v := range s {
		for range channels {
			switch {
			case format == formatFloat:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			case bits == 8:
				data = append(data, byte(128+math.Round(float64(v)*127)))
			case bits == 16:
				data = binary.LittleEndian.AppendUint16(data, uint16(pcm(v)))
			case bits == 24:
				x := uint32(int32(float64(v) * (1 << 23)))
				data = append(data, byte(x), byte(x>>8), byte(x>>16))
			default:
				data = binary.LittleEndian.AppendUint32(data, uint32(int32(float64(v)*math.MaxInt32)))
			}
		}
	}
	out := []byte("RIFF\x00\x00\x00\x00WAVELIST\x03\x00\x00\x00abc\x00fmt \x10\x00\x00\x00")
	out = binary.LittleEndian.AppendUint16(out, format)
	out = binary.LittleEndian.AppendUint16(out, channels)
	out = binary.LittleEndian.AppendUint32(out, uint32(rate))
	out = binary.LittleEndian.AppendUint32(out, uint32(rate)*uint32(channels*bits/8))
	out = binary.LittleEndian.AppendUint16(out, channels*bits/8)
	out = binary.LittleEndian.AppendUint16(out, bits)
	out = append(out, "data"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	return append(out, data...)
}

func TestReadWAV(t *testing.T) {
	for _, c := range []struct {
		format, channels, bits uint16
		rate                   int
	}{
		{formatPCM, 1, 16, 22050},
		{formatPCM, 2, 16, 44100},
		{formatPCM, 1, 8, 8000},
		{formatPCM, 1, 24, 48000},
		{formatPCM, 1, 32, 16000},
		{formatFloat, 1, 32, 24000},
		{formatPCM, 1, 16, 24000},
	} {
		s, err := ReadWAV(file(c.format, c.channels, c.bits, c.rate, tone(997, 0.5, time.Second, c.rate)))
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if d := s.Duration() - time.Second; d.Abs() > time.Millisecond {
			t.Errorf("%+v lasts %v", c, s.Duration())
		}
		if p := power(s, 997, Rate); math.Abs(p-0.5) > 0.01 {
			t.Errorf("%+v: the tone has the amplitude %.3f", c, p)
		}
		again, err := ReadWAV(s.WAV())
		if err != nil || len(again) != len(s) {
			t.Errorf("%+v, written and read: %d of %d samples, %v", c, len(again), len(s), err)
		}
		for i := range again {
			if math.Abs(float64(again[i]-s[i])) > 1e-4 {
				t.Fatalf("%+v: sample %d is %g, was %g", c, i, again[i], s[i])
			}
		}
	}
}

// A tone above half the new rate must not come back as a lower one.
func TestResampleKeepsOutWhatItCannotHold(t *testing.T) {
	s := resample(tone(14_000, 0.5, time.Second, 48_000), 48_000, Rate)
	if p := power(s, 10_000, Rate); p > 0.005 {
		t.Errorf("the mirrored tone has the amplitude %.4f", p)
	}
}

func TestReadWAVOfAPipe(t *testing.T) {
	f := file(formatPCM, 1, 16, Rate, tone(440, 0.5, time.Second, Rate))
	at := bytes.Index(f, []byte("data")) + 4
	for _, length := range []uint32{0x7FFFF000, 0xFFFFFFFF} {
		binary.LittleEndian.PutUint32(f[at:], length)
		if s, err := ReadWAV(f); err != nil || s.Duration() != time.Second {
			t.Errorf("length %x: %v, %v", length, s.Duration(), err)
		}
	}
	// libsndfile counts the header alone before it has the samples.
	for _, whole := range []uint32{0, 8, uint32(at) - 4} {
		binary.LittleEndian.PutUint32(f[4:], whole)
		binary.LittleEndian.PutUint32(f[at:], 0)
		if s, err := ReadWAV(f); err != nil || s.Duration() != time.Second {
			t.Errorf("no length, and %d of the file: %v, %v", whole, s.Duration(), err)
		}
	}
	binary.LittleEndian.PutUint32(f[4:], uint32(len(f))-8)
	if s, err := ReadWAV(f); err != nil || len(s) != 0 {
		t.Errorf("no samples: %v, %v", s.Duration(), err)
	}
	binary.LittleEndian.PutUint32(f[at:], Rate*4)
	if _, err := ReadWAV(f); err == nil {
		t.Error("half a file is read as a whole one")
	}
}

func TestReadWAVRefuses(t *testing.T) {
	good := file(formatPCM, 1, 16, Rate, tone(440, 0.5, time.Second/10, Rate))
	changed := func(at int, v ...byte) []byte { b := bytes.Clone(good); copy(b[at:], v); return b }
	format := bytes.Index(good, []byte("fmt ")) + 8
	for name, b := range map[string][]byte{
		"nothing": nil, "HTML": []byte("<!DOCTYPE html><html><body>502</body></html>"), "MP3": []byte("ID3\x04\x00\x00\x00\x00\x00\x00\x00\x00"),
		"a format of its own": changed(format, 85), "no channel": changed(format+2, 0), "three channels": changed(format+2, 3),
		"12 bits": changed(format+14, 12), "a rate of 1": changed(format+4, 1, 0, 0, 0),
		"samples alone": append(bytes.Clone(good[:12]), good[format+16:]...), "no samples": good[:format+16], "cut": good[:len(good)-1],
		"an hour": file(formatPCM, 1, 8, 8000, make([]float32, 8000*301)),
	} {
		if s, err := ReadWAV(b); err == nil {
			t.Errorf("%s is read: %d samples", name, len(s))
		}
	}
}

func FuzzReadWAV(f *testing.F) {
	for _, bits := range []uint16{8, 16, 24, 32} {
		f.Add(file(formatPCM, 2, bits, 22050, tone(440, 0.5, 2*time.Millisecond, 22050)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ReadWAV(b)
		if err != nil {
			return
		}
		if len(s) > 4*len(b)+4 {
			t.Errorf("%d samples from %d bytes", len(s), len(b))
		}
		trimmed := s.Trimmed()
		for _, v := range even(t, trimmed) {
			if !(v >= -1 && v <= 1) {
				t.Fatalf("a sample of %g", v)
			}
		}
	})
}

// The standard's own check: a sine of 997 Hz at full scale has -3.01 LUFS, and the loudness
// follows the level whatever pauses there are.
func TestLUFS(t *testing.T) {
	for _, c := range []struct{ amplitude, want float64 }{{1, -3.01}, {0.1, -23.01}, {0.01, -43.01}} {
		s := Sound(tone(997, c.amplitude, 3*time.Second, Rate))
		if got := lufs(t, s); math.Abs(got-c.want) > 0.1 {
			t.Errorf("amplitude %g: %.2f LUFS, want %.2f", c.amplitude, got, c.want)
		}
		paused := append(append(append(Sound{}, s...), make(Sound, 5*Rate)...), s...)
		if got := lufs(t, paused); math.Abs(got-c.want) > 0.5 {
			t.Errorf("amplitude %g with a pause: %.2f LUFS, want %.2f", c.amplitude, got, c.want)
		}
	}
	if got := lufs(t, make(Sound, Rate)); got != gate {
		t.Errorf("silence has %.1f LUFS", got)
	}
}

func lufs(t *testing.T, s Sound) float64 {
	t.Helper()
	loudness, err := s.LUFS(t.Context())
	assert.NilError(t, err)
	return loudness
}

func even(t *testing.T, s Sound) Sound {
	t.Helper()
	out, err := s.Even(t.Context())
	assert.NilError(t, err)
	return out
}

// The limiter gives what a plain reading of its description gives, whatever the peaks.
func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for range 20 {
		s := make(Sound, r.IntN(2000))
		for i := range s {
			if s[i] = r.Float32() - 0.5; r.IntN(300) == 0 {
				s[i] *= 8
			}
		}
		need := map[int]float64{}
		for place := -ahead; place < len(s)+ahead; place++ {
			need[place] = 1
			for j := max(0, place-ahead); j <= min(len(s)-1, place+ahead); j++ {
				need[place] = min(need[place], mostPeak/math.Abs(float64(s[j])))
			}
		}
		want := slices.Clone(s)
		for i := range s {
			sum := 0.0
			for place := i - ahead; place <= i+ahead; place++ {
				sum += need[place]
			}
			want[i] = s[i] * float32(sum/(2*ahead+1))
		}
		assert.NilError(t, s.limit(t.Context()))
		for i := range s {
			if d := s[i] - want[i]; d > 1e-5 || d < -1e-5 {
				t.Fatalf("sample %d of %d is %g, want %g", i, len(s), s[i], want[i])
			}
		}
	}
}

// A call whose caller has left does no more than one stretch of work.
func TestEvenStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sound(tone(997, 1, time.Minute, Rate)).Even(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestTrimmedAndEven(t *testing.T) {
	for _, amplitude := range []float64{0.02, 0.1, 0.5} {
		s := append(append(make(Sound, Rate), tone(997, amplitude, time.Second, Rate)...), make(Sound, 2*Rate)...)
		s = s.Trimmed()
		if d := s.Duration(); d < time.Second || d > 1100*time.Millisecond {
			t.Errorf("trimmed to %v", d)
		}
		if got := lufs(t, even(t, s)); math.Abs(got-Loudness) > 0.3 {
			t.Errorf("amplitude %g becomes %.2f LUFS", amplitude, got)
		}
	}
	// Peaks are turned down, and what is far from them stays.
	click := Sound(tone(997, 0.01, time.Second, Rate))
	click[Rate/2], click[3] = 1, -1
	loud := even(t, click)
	for i, v := range loud {
		if v > mostPeak+1e-6 || v < -mostPeak-1e-6 {
			t.Fatalf("sample %d is %g", i, v)
		}
	}
	near, far := power(loud[Rate/4:Rate*2/5], 997, Rate), power(loud[Rate*3/5:Rate*9/10], 997, Rate)
	if math.Abs(near/far-1) > 0.01 || far < 0.02 {
		t.Errorf("the tone has %.4f and %.4f around a click", near, far)
	}
	if s := make(Sound, Rate).Trimmed(); len(s) != 0 {
		t.Errorf("silence is trimmed to %v", s.Duration())
	}
}

// Sound encoded as Opus is decoded by another program's rules: the same length and tone.
func TestOpus(t *testing.T) {
	s := Sound(tone(440, 0.3, 2*time.Second, Rate))
	b, err := (&Encoder{}).Encode(t.Context(), s, Opus)
	if err != nil || string(b[:4]) != "OggS" {
		t.Fatal(err)
	}
	if len(b) > 12<<10 {
		t.Errorf("two seconds have %d bytes", len(b))
	}
	r, err := ogg.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	d, err := gopus.NewDecoder(gopus.DecoderConfig{SampleRate: Rate, Channels: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out []float32
	for {
		packet, _, err := r.ReadPacket()
		if err != nil {
			break
		}
		pcm := make([]float32, 5760)
		n, err := d.Decode(packet, pcm)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, pcm[:n]...)
	}
	out = out[min(len(out), ogg.DefaultPreSkip/opusUp):]
	if len(out) < len(s) || len(out) > len(s)+2*opusFrame {
		t.Fatalf("%d samples become %d", len(s), len(out))
	}
	if p := power(out[Rate/4:Rate*7/4], 440, Rate); math.Abs(p-0.3) > 0.05 {
		t.Errorf("the tone has the amplitude %.3f", p)
	}
}

func TestFormatsByFFmpeg(t *testing.T) {
	s := Sound(tone(440, 0.3, 2*time.Second, Rate))
	if _, err := (&Encoder{}).Encode(t.Context(), s, M4A); !errors.Is(err, ErrNoEncoder) {
		t.Errorf("m4a without ffmpeg: %v", err)
	}
	if _, err := (&Encoder{}).Decode(t.Context(), []byte("OggS")); !errors.Is(err, ErrNoEncoder) {
		t.Errorf("Ogg without ffmpeg: %v", err)
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	e := FindEncoder()
	for _, f := range Formats() {
		b, err := e.Encode(t.Context(), s, f)
		if err != nil {
			t.Fatal(f, err)
		}
		back, err := e.Decode(t.Context(), b)
		if err != nil {
			t.Fatal(f, err)
		}
		if d := back.Duration() - s.Duration(); d < -30*time.Millisecond || d > 120*time.Millisecond {
			t.Errorf("%s: %v becomes %v", f, s.Duration(), back.Duration())
		}
		if p := power(back[Rate/4:Rate*7/4], 440, Rate); math.Abs(p-0.3) > 0.05 {
			t.Errorf("%s: the tone has the amplitude %.3f", f, p)
		}
	}
	for _, b := range []string{"", "<html>", "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd\n", "ffconcat version 1.0\nfile /etc/passwd\n"} {
		if _, err := e.Decode(t.Context(), []byte(b)); !errors.Is(err, ErrNoSound) {
			t.Errorf("%.20q: %v", b, err)
		}
	}
	if _, err := e.Decode(t.Context(), []byte("OggS and no more")); err == nil {
		t.Error("a broken Ogg file is decoded")
	}
}

func BenchmarkOpus(b *testing.B) {
	s := Sound(tone(440, 0.3, 2*time.Second, Rate))
	for b.Loop() {
		if _, err := s.opus(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
