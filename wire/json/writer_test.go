package json_test

import (
	stdjson "encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/json"
)

func randomText(r *rand.Rand) string {
	b := make([]byte, r.IntN(12))
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	long := []byte(strings.Repeat("plain ~!", 3)) // copied by eights, but for what is among it
	for range r.IntN(4) {
		long[r.IntN(len(long))] = byte(r.IntN(256))
	}
	parts := []string{"Äulestraße", "a<b>&c", "\"\\/", "\u2028\u2029\ufffd", string(b), string(long[r.IntN(8):]), "\x00\b\f\n\r\t\x1f\x7f", "日本🚲", "\xc3"}
	return parts[r.IntN(len(parts))] + parts[r.IntN(len(parts))]
}

// The text is, byte by byte, that of encoding/json without the escapes of HTML.
func TestWriterIsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		v := struct {
			Text  string   `json:"text"`
			Empty string   `json:"empty,omitempty"`
			Whole int      `json:"whole"`
			Zero  int      `json:"zero,omitempty"`
			Share float64  `json:"share"`
			On    bool     `json:"on"`
			Off   bool     `json:"off,omitempty"`
			None  any      `json:"none"`
			List  []string `json:"list"`
			Inner struct {
				Numbers []float64 `json:"numbers"`
				Mixed   []any     `json:"mixed"`
			} `json:"inner"`
		}{Text: randomText(r), Whole: r.IntN(2000) - 1000, Share: json.Round(r.NormFloat64()*1000, 3), On: r.IntN(2) == 0, List: []string{}}
		for range r.IntN(4) {
			v.List = append(v.List, randomText(r))
		}
		v.Inner.Numbers, v.Inner.Mixed = []float64{json.Round(r.Float64(), 6), 0}, []any{"x", true, nil, 3}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w json.Writer
		w.Grow(r.IntN(64))
		w.Open('{')
		w.String("text", v.Text)
		w.StringIf("empty", v.Empty)
		w.Int("whole", v.Whole)
		w.IntIf("zero", v.Zero)
		w.Number("share", v.Share, 3)
		w.Bool("on", v.On)
		w.BoolIf("off", v.Off)
		w.Null("none")
		w.Strings("list", v.List)
		w.Open('{', "inner")
		w.Open('[', "numbers")
		for _, n := range v.Inner.Numbers {
			w.NumberElement(n, 6)
		}
		w.Close(']')
		w.Open('[', "mixed")
		w.StringElement("x")
		w.BoolElement(true)
		w.NullElement()
		w.IntElement(3)
		w.Close(']')
		w.Close('}')
		w.Close('}')
		got, err := w.Bytes()
		if err != nil || string(got) != string(want) {
			t.Fatalf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
}

func TestMarshalIsEncodingJSON(t *testing.T) {
	got, err := json.Marshal(map[string]any{"a": "<&>", "b": 1.5})
	if err != nil || string(got) != `{"a":"<&>","b":1.5}` {
		t.Errorf("%s, %v", got, err)
	}
	var w json.Writer
	w.AnyElement(math.NaN())
	if _, err := w.Bytes(); err == nil {
		t.Error("a value that JSON has no form for was written")
	}
}

// Numbers are the standard library's shortest form of what they are rounded to.
func TestNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		digits := r.IntN(7)
		least := r.IntN(digits + 1)
		n := r.Int64N(1 << (1 + r.IntN(49))) // few digits as well as many
		if r.IntN(4) == 0 {
			n -= n % 1000
		}
		if r.IntN(2) == 0 && n != 0 {
			n = -n
		}
		v := float64(n) / math.Pow10(digits)
		want := strconv.FormatFloat(v, 'f', -1, 64)
		whole, rest, _ := strings.Cut(want, ".")
		if len(rest) < least {
			rest += strings.Repeat("0", least-len(rest))
		}
		if want = whole; rest != "" {
			want += "." + rest
		}
		if got := string(json.AppendDecimal([]byte("x"), v, digits, least)); got != "x"+want {
			t.Fatalf("%g with %d decimals, at least %d: %s, want %s", v, digits, least, got, want)
		}
	}
	for v, want := range map[float64]string{math.Inf(1): "0", math.NaN(): "0", -1e-9: "0", 1e300: strconv.FormatFloat(1e300, 'f', -1, 64)} {
		if got := string(json.AppendNumber(nil, v, 6)); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

func FuzzEscaped(f *testing.F) {
	f.Add("Äulestraße \"\\\u2028\xc3")
	f.Fuzz(func(t *testing.T, s string) {
		text := append(json.AppendEscaped([]byte{'"'}, s), '"')
		var got, want string
		if err := stdjson.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want = strings.ToValidUTF8(s, "\ufffd"); len(want) != len(s) {
			return // runs of what is not UTF-8 are one character to the one, several to the other
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func BenchmarkWriter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var w json.Writer
		w.Grow(4096)
		w.Open('[')
		for i := range 20 {
			w.Open('{')
			w.Int("type", i)
			w.String("instruction", "Turn left onto Äulestraße.")
			w.Number("time", 12.345, 3)
			w.Number("length", 0.5, 3)
			w.Bool("toll", false)
			w.Close('}')
		}
		w.Close(']')
	}
}

// TestEscapedAnywhere compares strings with one special character at each place among plain
// ones, which are copied by eights.
func TestEscapedAnywhere(t *testing.T) {
	for b := range 256 {
		for at := range 20 {
			for length := at + 1; length < 28; length += 5 {
				s := []byte(strings.Repeat("a~ ![]#Z", 4)[:length])
				s[at] = byte(b)
				var want strings.Builder
				for i := range s { // one by one none is copied by eights
					want.Write(json.AppendEscaped(nil, string(s[i:i+1])))
				}
				if got := string(json.AppendEscaped(nil, string(s))); got != want.String() {
					t.Fatalf("%q: %q, want %q", s, got, want.String())
				}
			}
		}
	}
}
