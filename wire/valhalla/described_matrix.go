package valhalla

// The types of this file describe matrices in the document, beside the rows of numbers; WriteMatrix
// writes them.

// SnappedPosition is a location on the road, null where there is none near.
type SnappedPosition struct {
	_   struct{} `nullable:"true"`
	Lat float64  `json:"lat"`
	Lon float64  `json:"lon"`
}

// UnreachableCell is a cell without a way.
type UnreachableCell struct {
	Source int    `json:"source" doc:"index"`
	Target int    `json:"target" doc:"index"`
	Reason string `json:"reason" enum:"no road near the source,no road near the target,no way between them,no stop near the source,no stop near the target,no journey within a day"`
}
