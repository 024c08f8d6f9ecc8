package preset_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"

	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/ev/preset"
)

func TestAll(t *testing.T) {
	list, err := preset.All()
	if err != nil {
		t.Fatal(err)
	}
	if len(list.All) < 1000 {
		t.Errorf("%d vehicles", len(list.All))
	}
	wild := 0
	for i := range list.All {
		p := &list.All[i]
		v, b := p.Build()
		metre := v.Energy(ev.Piece{Metres: 1, Seconds: 1 / preset.Mixed}, preset.Mixed, ev.Weather{Temperature: 20})
		if metre <= 0.01 || metre > 0.7 || b.ChargeSeconds(0.1*b.Capacity, 0.8*b.Capacity, 1e6) <= 0 {
			t.Errorf("%s takes %.3f Wh a metre", p.ID, metre)
		}
		if d := metre*100 - p.Average; d > 0.5 || d < -0.5 {
			wild++
		}
	}
	if wild > len(list.All)/20 {
		t.Errorf("%d of %d vehicles do not meet their average consumption", wild, len(list.All))
	}
	if p := list.ByID("bmw-i3-60-ah-2013"); p == nil || p.KWh != 18.8 || len(p.Curve) != 5 {
		t.Errorf("%+v", p)
	}
}

func TestAttributionIsShown(t *testing.T) {
	for _, file := range []string{"../../NOTICE", "../../docs/ev.md", "LICENCE-open-ev-data.txt"} {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(preset.Source)) {
			t.Errorf("%s does not name %s: %v", file, preset.Source, err)
		}
	}
}

// pack compresses a list as the file is.
func pack(text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return out.Bytes()
}

// TestReadRefuses checks that a list in which a vehicle cannot be reckoned with is refused.
func TestReadRefuses(t *testing.T) {
	const good = `{"i":"a","k":50,"c":15,"u":[[0,50],[100,10]]}`
	for text, ok := range map[string]bool{
		`[` + good + `]`:                                 true,
		`[` + good + `,` + good + `]`:                    false,
		`[{"i":"a","k":0,"c":15}]`:                       false,
		`[{"i":"a","k":50,"c":0}]`:                       false,
		`[{"i":"","k":50,"c":15}]`:                       false,
		`[{"i":"a","k":50,"c":15,"u":[[0,0]]}]`:          false,
		`[{"i":"a","k":50,"c":15,"u":[[50,9],[50,10]]}]`: false,
		`7`: false,
	} {
		if _, err := preset.Read(pack(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := preset.Read([]byte("no gzip")); err == nil {
		t.Error("what is not compressed is read")
	}
}

// FuzzRead reads damaged files: an error, or vehicles that can be built.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`[{"i":"a","b":"A","m":"B","t":"car","k":50,"c":15,"d":100,"p":["ccs"],"u":[[0,50],[100,10]]}]`))
	f.Add([]byte(`[{"i":"a","k":-1}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := preset.Read(pack(string(text)))
		if err != nil {
			return
		}
		for i := range list.All {
			_, b := list.All[i].Build()
			if b.Capacity <= 0 {
				t.Error("an empty battery")
			}
		}
	})
}
