// Package preset lists electric vehicles: batteries, charging curves and
// consumption, as Open EV Data collects them. The file of the vehicles is made by
// generate.
package preset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/waygate/waygate/ev"
)

// Attribution must be shown with the data, and Source where it is
// from.
const (
	Attribution = "Open EV Data (https://github.com/KilowattApp/open-ev-data), MIT"
	Source      = "https://github.com/KilowattApp/open-ev-data"
)

// Vehicle is one model.
type Vehicle struct {
	ID      string       `json:"i"`
	Brand   string       `json:"b"`
	Model   string       `json:"m"`
	Variant string       `json:"v,omitempty"`
	Type    string       `json:"t"` // car, motorbike, microcar
	Year    int          `json:"y,omitempty"`
	KWh     float64      `json:"k"`           // usable
	Average float64      `json:"c"`           // kWh for 100 km
	AC      float64      `json:"a,omitempty"` // kilowatts
	DC      float64      `json:"d,omitempty"`
	Ports   []string     `json:"p"`           // of ports
	Curve   [][2]float64 `json:"u,omitempty"` // percent, kilowatts
	Assumed bool         `json:"g,omitempty"` // the curve is a usual one and was not measured
}

// Name returns its common name.
func (v *Vehicle) Name() string {
	return strings.Join(strings.Fields(v.Brand+" "+v.Model+" "+v.Variant), " ")
}

//go:embed vehicles.json.gz
var packed []byte

// List is the vehicles, by id.
type List struct {
	All []Vehicle
	by  map[string]*Vehicle
}

// Read reads a packed file of vehicles.
func Read(packed []byte) (*List, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, 16<<20))
	if err != nil {
		return nil, err
	}
	l := &List{by: map[string]*Vehicle{}}
	if err := json.Unmarshal(text, &l.All); err != nil {
		return nil, err
	}
	for i := range l.All {
		v := &l.All[i]
		if v.KWh <= 0 || v.Average <= 0 || v.ID == "" || l.by[v.ID] != nil {
			return nil, fmt.Errorf("vehicle %d (%q): no battery, no consumption or no id of its own", i, v.ID)
		}
		for j := range v.Curve {
			if v.Curve[j][1] <= 0 || j > 0 && v.Curve[j][0] <= v.Curve[j-1][0] {
				return nil, fmt.Errorf("vehicle %q: its charging curve is out of order", v.ID)
			}
		}
		l.by[v.ID] = v
	}
	return l, nil
}

// All gives those in the program.
var All = sync.OnceValues(func() (*List, error) { return Read(packed) })

// ByID finds a vehicle; nil where there is none.
func (l *List) ByID(id string) *Vehicle { return l.by[id] }

// Mixed is the speed, in metres a second, at which average consumption is met:
// 90 km/h on level ground takes about what the mixed driving of test cycles does,
// with its stops.
const Mixed = 90 / 3.6

// Build returns the vehicle and the battery of a model. Values that the data lack
// its mass and drag, is usual for its kind and size, and made to meet its average
// consumption.
func (v *Vehicle) Build() (ev.Vehicle, ev.Battery) {
	out := ev.Usual()
	switch v.Type {
	case "motorbike":
		out.Mass, out.DragArea, out.Auxiliary, out.Climate = 250+6*v.KWh, 0.4, 50, 0
	case "microcar":
		out.Mass, out.DragArea, out.Auxiliary, out.Climate = 500+8*v.KWh, 0.55, 150, 30
	default:
		out.Mass = 1150 + 9*v.KWh
	}
	// Some figures are plainly wrong: below 2 and above 60 nothing on wheels is.
	out.Calibrate(min(60, max(2, v.Average))*10/1000, Mixed)
	b := ev.Battery{Capacity: v.KWh * 1000}
	for _, p := range v.Curve {
		b.Curve = append(b.Curve, ev.CurvePoint{Charge: p[0] / 100, Watts: p[1] * 1000})
	}
	if len(b.Curve) == 0 {
		b.Curve = ev.UsualCurve(max(v.AC, v.DC) * 1000)
	}
	return out, b
}
