package embedded

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/geo"
)

// fill puts random values into everything that v leads to; what may be empty is
// so half of the time.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n-1)) // none, or empty, or one or two
			for i := range n - 1 {
				fill(r, v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Interface: // a shape
		switch line := []geo.Point{{Lon: 9.1, Lat: 47.2}, {Lon: 9 + r.Float64(), Lat: 47 + r.Float64()}}; r.IntN(4) {
		case 0:
			v.Set(reflect.ValueOf(geo.EncodePolyline(line, 6)))
		case 1:
			v.Set(reflect.ValueOf(lineStringOf(line[:1+r.IntN(2)])))
		case 2:
			v.Set(reflect.ValueOf(randomText(r)))
		}
	case reflect.String:
		if r.IntN(2) == 0 {
			v.SetString(randomText(r))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), round(r.NormFloat64()*1000, 3), r.NormFloat64(), math.Exp(r.NormFloat64() * 30)}[r.IntN(5)])
	case reflect.Int:
		v.SetInt(int64(r.IntN(5) - 2))
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(uint64(r.IntN(40)))
	default:
		panic("no values of kind " + v.Kind().String())
	}
}

func randomText(r *rand.Rand) string {
	b := make([]byte, r.IntN(12))
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	parts := []string{"Äulestraße", "a<b>&c", "\"\\/", "\u2028\u2029\ufffd", string(b), "\x00\b\f\n\r\t\x1f\x7f", "日本🚲", "\xc3"}
	return parts[r.IntN(len(parts))] + parts[r.IntN(len(parts))]
}

// Answers are, byte by byte, what encoding/json makes of them.
func TestJSONIsThatOfTheStructs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		var a nativeAnswer
		fill(r, reflect.ValueOf(&a).Elem())
		want, err := encode(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.json(); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

func TestJSONHasNoInfinity(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := nativeAnswer{}
		a.Trip.Summary.Cost = v
		if got, err := a.json(); err == nil {
			t.Errorf("%g is written as %s", v, got)
		}
	}
}

func FuzzJSONString(f *testing.F) {
	for i := range 20 {
		f.Add(randomText(rand.New(rand.NewPCG(uint64(i), 2))))
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := encode(s)
		if err != nil {
			t.Fatal(err)
		}
		x := &text{}
		if x.string(s); string(x.b) != string(want) {
			t.Error(fmt.Sprintf("%q", s), string(x.b), string(want))
		}
	})
}
