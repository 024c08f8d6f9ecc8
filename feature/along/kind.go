package along

import (
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// MostOfKind is how many places of a kind detours are measured to: those nearest to the route.
const MostOfKind = 100

// Places of a kind are searched in circles around points of the route.
const (
	mostCircles = 128
	mostInOne   = 100 // places, the nearest to the middle
	circleNanos = 3e5 // about how long one circle takes
)

// Kind is places of an index to call at.
type Kind struct {
	Index      Index
	Categories []string // any of them
	// Opens judges opening hours. Where it is not nil, places that are shut are left out.
	Opens func(hours string, at geo.Point, country, state string) place.Opening
}

// Index is a place.Index, which yields the nearest place first.
type Index interface {
	Around(ctx context.Context, at geo.Point, metres float64, categories []string, lang string, yield func(place.Near) bool) error
}

// About is the properties of a place of the index in an answer.
type About struct {
	Categories   []string `json:"categories,omitempty"`
	HouseNumber  string   `json:"housenumber,omitempty"`
	Street       string   `json:"street,omitempty"`
	City         string   `json:"city,omitempty"`
	Postcode     string   `json:"postcode,omitempty"`
	OpeningHours string   `json:"opening_hours,omitempty"`
	OpenNow      bool     `json:"open_now,omitempty"`
}

// along finds the places of a kind in a corridor along a line. Where the line is too long for
// circles as wide as the corridor, the circles are larger, and each yields the places nearest
// to its middle.
func (k *Kind) along(ctx context.Context, line []geo.Point, metres float64) (all []Place, err error) {
	err = engine.Work(ctx, kindEffort(), func(ctx context.Context) error {
		ruler := geo.NewRuler(line)
		n := max(1, min(mostCircles, int(math.Ceil(ruler.Length()/metres))))
		step := ruler.Length() / float64(n)
		radius := math.Hypot(metres, step/2)
		seen := map[string]bool{}
		for i := range n {
			in := 0
			err := k.Index.Around(ctx, ruler.At(step*(float64(i)+0.5)).Point, radius, k.Categories, "", func(near place.Near) bool {
				if !seen[near.ID] {
					seen[near.ID] = true
					if p, ok := k.candidate(&near.Place); ok {
						all = append(all, p)
					}
				}
				in++
				return in < mostInOne
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// candidate turns a place of the index into one to rank; ok is false where places that are shut
// are left out and it is shut.
func (k *Kind) candidate(p *place.Place) (out Place, ok bool) {
	about := About{Categories: p.Categories, HouseNumber: p.House, Street: p.Street, City: p.Locality, Postcode: p.Postcode}
	for _, d := range p.Details {
		if d.Key == "opening_hours" {
			about.OpeningHours = d.Value
		}
	}
	if k.Opens != nil && about.OpeningHours != "" {
		switch k.Opens(about.OpeningHours, p.At, p.CountryCode, p.State) {
		case place.IsShut:
			return out, false
		case place.IsOpen:
			about.OpenNow = true
		}
	}
	properties, err := json.Marshal(about)
	if err != nil {
		return out, false
	}
	return Place{ID: p.ID, Name: p.Name, Point: p.At, Properties: properties}, true
}

func kindEffort() engine.Estimate {
	return engine.Estimate{Kind: "kind-along", Work: mostCircles * circleNanos * time.Nanosecond, Bytes: 8 << 20, Cores: 1, Cheaper: "a shorter route or a narrower corridor"}
}
