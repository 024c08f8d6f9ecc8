package schema_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/schema"
)

type tracePoint struct {
	Lat  float64  `json:"lat" minimum:"-90" maximum:"90" unit:"degrees"`
	Lon  float64  `json:"lon" minimum:"-180" maximum:"180" unit:"degrees"`
	Time *float64 `json:"time,omitempty" unit:"seconds"`
	Type string   `json:"type,omitempty" enum:"break,via"`
}

type trace struct {
	Costing string       `json:"costing" enum:"auto,bicycle"`
	Shape   []tracePoint `json:"shape" minItems:"2" maxItems:"20000" of:"positions"`
}

func BenchmarkTrace(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"costing":"auto","shape":[`)
	for i := range 20_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"lat":%.6f,"lon":%.6f,"time":%d}`, 47+float64(i)*1e-5, 9.5+float64(i)*1e-5, 1700000000+i)
	}
	body.WriteString(`]}`)
	text, plan := []byte(body.String()), schema.Of[trace]()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var t trace
		if _, err := plan.Read(context.Background(), text, &t, schema.Options{}); err != nil || len(t.Shape) != 20_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkTwoPlaces(b *testing.B) {
	text, plan := []byte(`{`+least+`}`), schema.Of[question]()
	b.ReportAllocs()
	for b.Loop() {
		var q question
		if _, err := plan.Read(context.Background(), text, &q, schema.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
