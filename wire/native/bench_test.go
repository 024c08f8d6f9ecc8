package native_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/wire/native"
)

func BenchmarkReadTrace(b *testing.B) {
	var body strings.Builder
	body.WriteString(`{"costing":"auto","shape":[`)
	for i := range 20_000 {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"lat":%.6f,"lon":%.6f,"time":%d}`, 47+float64(i)*1e-5, 9.5+float64(i)*1e-5, 1_700_000_000+i)
	}
	body.WriteString(`]}`)
	b.SetBytes(int64(body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if m, _, err := match(embedded, body.String(), false); err != nil || len(m.Trace) != 20_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadRoute(b *testing.B) {
	body := `{"locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}],"costing":"auto"}`
	b.ReportAllocs()
	for b.Loop() {
		if _, err := route(embedded, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadMatrix(b *testing.B) {
	body := `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}` + strings.Repeat(`,{"lat":47.2,"lon":9.6}`, 499) + `]}`
	b.ReportAllocs()
	for b.Loop() {
		if in, _, err := read[native.MatrixRequest](body); err != nil || len(in.Locations) != 500 {
			b.Fatal(err)
		}
	}
}
