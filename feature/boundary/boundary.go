// Package boundary finds the countries, states, counties and communes that a place lies in.
package boundary

import (
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/boundary"
)

// Place is the position of a request.
type Place struct {
	Lat float64 `json:"lat" unit:"degrees"`
	Lon float64 `json:"lon" unit:"degrees"`
}

// Admin is an administrative area that a place lies in.
type Admin struct {
	Level        int     `json:"admin_level" minimum:"1" maximum:"12" doc:"as OpenStreetMap has it: 2 is a country, a higher number a part of a lower one; what each number is differs from country to country"`
	ISO          *string `json:"iso_code" doc:"ISO 3166-1 alpha-2 of a country, ISO 3166-2 of a part of one, such as GB-WLS; null where none is mapped"`
	Name         string  `json:"name" doc:"in the language asked for where it has a name in it, else the local one"`
	DriveOnRight *bool   `json:"drive_on_right" doc:"whether traffic keeps to the right there; null where the country is not known"`
	Basis        string  `json:"basis" enum:"mapped,coarse" doc:"coarse where the map does not have the border and a rough outline stands in for it, within some hundred metres; beyond the contract"`
}

// The bases.
const (
	mapped = "mapped"
	coarse = "coarse"
)

// Service finds boundaries. Its zero value looks in the regions alone.
type Service struct {
	Instead *boundary.Index // answers for all regions; nil for none
}

// ErrNone is that no region was built with boundaries.
var ErrNone = fault.NotEnabled("boundary", "boundaries are not enabled here: the region was built without them; import it again, or name a region that has them (SVC_ADMIN_BOUNDARIES_DB)")

// At returns the areas that a place lies in, from the country down to the smallest; there may
// be none. Of several indexes the one with the most areas counts. lang is a BCP 47 tag, ""
// for local names.
func (s *Service) At(indexes []*boundary.Index, p geo.Point, lang string) ([]Admin, error) {
	if s.Instead != nil {
		indexes = []*boundary.Index{s.Instead}
	}
	if len(indexes) == 0 {
		return nil, ErrNone
	}
	var best []boundary.Area
	for _, x := range indexes {
		if areas := x.At(p); len(areas) > len(best) {
			best = areas
		}
	}
	admins := make([]Admin, len(best))
	for i := range best {
		a := &best[i]
		admins[i] = Admin{Level: a.Level, Name: a.In(lang), Basis: mapped}
		if a.Coarse {
			admins[i].Basis = coarse
		}
		if a.ISO != "" {
			admins[i].ISO = &a.ISO
		}
		if a.Drives != boundary.Unknown {
			right := a.Drives == boundary.Right
			admins[i].DriveOnRight = &right
		}
	}
	return admins, nil
}
