package enginetest

// stockOSRM are the trips, by town and name, that a stock OSRM answers otherwise, and why.
var stockOSRM = map[string]string{
	"the country is named/a d":                                                             "its answers name no countries",
	"a gate costs more than the way round/a c":                                             "its car profile passes gates at no cost",
	"a rising bollard/a c":                                                                 "its car profile passes rising bollards at no cost",
	"a rising bollard/a c bicycle":                                                         "its bicycle profile passes bollards at no cost",
	"a footway with something for bicycles/a c bicycle":                                    "its bicycle profile reads no bicycle_road or ramps of footways",
	"a way that is not built/a c bicycle":                                                  "its bicycle profile takes proposed roads for roads",
	"a location within five metres of a junction is at it/c ab.99":                         "a location lies on the nearest road, also beside a junction",
	"nobody stops under a toll gantry/a d":                                                 "its car profile waits under gantries",
	"signals of crossings are not the drivers'/a f":                                        "its car profile waits at signals of crossings",
	"the settings of a side/cd ab.2":                                                       "a location has a side also next to the centre line",
	`over a footway in every way of travel/a c auto "ignore_access": true`:                 fixed,
	`against a one-way motorway in every way of travel/a c auto "ignore_oneways": true`:    fixed,
	`along a one-way motorway in every way of travel/a c bicycle "ignore_access": true`:    fixed,
	`along a one-way motorway in every way of travel/a c pedestrian "ignore_access": true`: fixed,
	"a building with floors/oe ec pedestrian":                                              floorless,
	"a building with floors/ec oe pedestrian":                                              floorless,
	"a building with floors/ec tu pedestrian":                                              floorless,
	"a building with floors/ec lr pedestrian":                                              floorless,
	"a building with floors/ec hi pedestrian":                                              floorless,
	"a building with floors/hi ij pedestrian":                                              floorless,
	"a building with floors/ij mn pedestrian":                                              floorless,
	"a building with floors/cs st pedestrian":                                              floorless,
	"a building with floors/ip qv pedestrian":                                              floorless,
}

const (
	floorless = "its foot profile knows no floors, corridors and lifts"
	fixed     = "its profile is fixed, and a refusal has no warning of it"
)
