package transit

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
)

// StopReportRequest is the body of POST /v1/transit/report.
type StopReportRequest struct {
	Polygon plan.Polygon  `json:"polygon" doc:"the area: rings of [lon, lat] as GeoJSON has them, or a GeoJSON Polygon; at most 1,000 positions, 500 stops in it, and a box of 4 square degrees around it. waygate transit report has no such limit"`
	Day     string        `json:"day,omitempty" format:"date" doc:"the weekday that is measured, with the Saturday and the Sunday after it; without it the first Tuesday, Wednesday or Thursday from today"`
	Modes   []string      `json:"modes,omitempty" maxItems:"8" enum:"other,bus,coach,tram,metro,rail,ferry,cable_car" doc:"kinds of vehicle; bus and coach without it"`
	Places  []string      `json:"places,omitempty" maxItems:"8" maxLength:"100" doc:"kinds of places whose reach is measured, as people say them in any of the languages of narration, such as hospital, school or supermarket"`
	People  []ReportPoint `json:"people,omitempty" maxItems:"5000" doc:"where people live, such as the centres of a census: they are a set of their own, people"`
	Format  string        `json:"format,omitempty" enum:"json,csv,geojson" default:"json" doc:"csv and geojson have a row or a feature for each stop, and no measures of the area"`
}

// ReportPoint is where people live.
type ReportPoint struct {
	native.Position
	People float64 `json:"people" minimum:"0" maximum:"10000000"`
}

// Points choose the region: the area's first position.
func (r *StopReportRequest) Points() []geo.Point {
	if len(r.Polygon) == 0 || len(r.Polygon[0]) == 0 {
		return nil
	}
	return []geo.Point{r.Polygon[0][0]}
}
