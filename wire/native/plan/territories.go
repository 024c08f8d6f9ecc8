package plan

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

// Limits of the territories of a request.
const (
	MostTerritories        = 64
	MostTerritoryPositions = 1000 // of one territory, its holes included
)

// Territory is an area that stops lie in.
type Territory struct {
	ID      string  `json:"id" minLength:"1" maxLength:"256"`
	Polygon Polygon `json:"polygon" doc:"rings of [lon, lat] as GeoJSON has them: the first is the border, the others are holes in it; at most 1,000 positions together. A GeoJSON Polygon is taken too"`
}

// Polygon is a border and holes in it.
type Polygon []geo.Ring

// Describe describes the rings.
func (Polygon) Describe(*schema.Document) *schema.Schema {
	two, three, most := 2, 3, MostTerritoryPositions
	east := 180.0
	west := -east
	one := 1
	position := &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.Number, Format: "double", Minimum: &west, Maximum: &east}, MinItems: &two}
	ring := &schema.Schema{Type: schema.Array, Items: position, MinItems: &three, MaxItems: &most}
	return &schema.Schema{Type: schema.Array, Items: ring, MinItems: &one}
}

// DecodeJSON reads rings, one ring alone, or a GeoJSON Polygon.
func (p *Polygon) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	// Each position has a bracket, and each ring: so many more are not looked at.
	if bytes.Count(raw, []byte("[")) > 3*MostTerritoryPositions {
		c.Refuse("", nil, "has more than %d positions", MostTerritoryPositions)
		return
	}
	var rings [][][]float64
	var single [][]float64
	var object struct {
		Type        string        `json:"type"`
		Coordinates [][][]float64 `json:"coordinates"`
	}
	switch {
	case schema.Fits(c, raw, &rings):
	case schema.Fits(c, raw, &single):
		rings = [][][]float64{single}
	case schema.Fits(c, raw, &object) && object.Type == "Polygon":
		rings = object.Coordinates
	default:
		c.Refuse("", raw, "must be a list of rings, each a list of [lon, lat]")
		return
	}
	if len(rings) == 0 {
		c.Refuse("", nil, "has no ring")
		return
	}
	positions := 0
	for _, list := range rings {
		positions += len(list)
	}
	if positions > MostTerritoryPositions {
		c.Refuse("", nil, "has %d positions and may have %d", positions, MostTerritoryPositions)
		return
	}
	for i, list := range rings {
		if ring, ok := native.RingOf(c, native.Index(i), list); ok {
			*p = append(*p, ring)
		}
	}
}

// Contains reports whether a place lies within the border and in no hole.
func (p Polygon) Contains(at geo.Point) bool {
	for i, ring := range p {
		if ring.Contains(at) != (i == 0) {
			return false
		}
	}
	return len(p) > 0
}

// Territories are areas by their ids.
type Territories []Territory

// differ refuses ids that stand twice.
func (t Territories) differ(c *schema.Context) {
	seen := map[string]int{}
	for i := range t {
		if before, repeated := seen[t[i].ID]; repeated {
			c.Refuse(fmt.Sprintf("territories[%d].id", i), t[i].ID, "is that of territories[%d] too: ids must differ", before)
			continue
		}
		seen[t[i].ID] = i
	}
}

// At lists the territories that a place lies in, by their indexes.
func (t Territories) At(p geo.Point) (in []int32) {
	for i := range t {
		if t[i].Polygon.Contains(p) {
			in = append(in, int32(i)) //nolint:gosec // there are at most 64
		}
	}
	return in
}
