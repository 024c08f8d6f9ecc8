package valhalla

// The types of this file describe isochrones in the document; isochrone.go writes them.

// IsochroneFeature is one outline or location.
type IsochroneFeature struct {
	Type       string              `json:"type" enum:"Feature"`
	Properties IsochroneProperties `json:"properties"`
	Geometry   map[string]any      `json:"geometry" doc:"Polygon, MultiPolygon or LineString; Point or MultiPoint of a location. Outer rings run counter-clockwise, holes clockwise."`
}

// IsochroneProperties describe a contour and how to draw it, or a location.
type IsochroneProperties struct {
	Contour       float64 `json:"contour,omitempty" doc:"minutes or kilometres"`
	Metric        string  `json:"metric,omitempty" enum:"time,distance"`
	Color         string  `json:"color,omitempty"`
	Fill          string  `json:"fill,omitempty"`
	FillColor     string  `json:"fillColor,omitempty"`
	Opacity       float64 `json:"opacity,omitempty"`
	FillOpacity   float64 `json:"fillOpacity,omitempty"`
	FillOpacity2  float64 `json:"fill-opacity,omitempty"`
	Type          string  `json:"type,omitempty" enum:"input,snapped"`
	LocationIndex int     `json:"location_index,omitempty"`
}
