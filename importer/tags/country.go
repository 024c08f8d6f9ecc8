package tags

import (
	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/road/graph"
)

// law has the travellers that may use an untagged way of a kind by a country's law.
type law map[string]graph.Modes

const (
	cars      = graph.Motor &^ graph.MotorScooter
	footBike  = active
	footMoped = active | graph.MotorScooter
)

// laws are the countries that differ from the rest, by ISO 3166-1 code: from the OSM
// wiki's table of access restrictions in the form of Valhalla's builder.
var laws = map[string]law{
	"AU": {"footway": footBike},
	"AT": {"trunk": cars, "path": onFoot},
	"BY": {"footway": footBike, "pedestrian": footBike, "cycleway": footBike},
	"BE": {"trunk": cars, "track": footMoped, "pedestrian": footBike, "bridleway": onFoot, "cycleway": footMoped, "path": footMoped},
	"BR": {"bridleway": footBike},
	"CN": {"pedestrian": footBike, "path": footMoped},
	"DK": {"trunk": cars, "track": footBike, "cycleway": footBike},
	"FR": {"trunk": cars, "pedestrian": footBike, "path": footMoped},
	"FI": {"pedestrian": footBike, "cycleway": footBike},
	"GB": {"bridleway": footBike, "cycleway": footBike},
	"GR": {"bridleway": footBike, "cycleway": footBike},
	"HU": {"trunk": cars, "cycleway": footBike},
	"IS": {"footway": footBike, "pedestrian": footBike, "cycleway": footBike},
	"IE": {"bridleway": footBike},
	"IT": {"pedestrian": footBike},
	"NL": {"cycleway": footBike, "path": footMoped},
	"NO": {"track": footMoped, "footway": footBike, "pedestrian": footBike, "cycleway": footBike},
	"OM": {"bridleway": footBike, "cycleway": footBike},
	"PH": {"pedestrian": footBike, "bridleway": footBike, "cycleway": footBike, "path": footMoped},
	"PL": {"bridleway": footBike, "cycleway": footBike, "path": footMoped},
	"RO": {"bridleway": footMoped, "cycleway": graph.Bicycle | graph.MotorScooter, "path": footMoped},
	"RU": {"cycleway": graph.Bicycle | graph.MotorScooter},
	"SK": {"trunk": cars},
	"ES": {"pedestrian": footBike, "path": footMoped},
	"SE": {"pedestrian": footBike, "bridleway": onFoot, "cycleway": footMoped},
	"CH": {"trunk": cars, "path": footMoped},
	"TH": {"pedestrian": footBike, "bridleway": footBike, "cycleway": footBike, "path": footMoped},
	"TR": {"bridleway": onFoot, "cycleway": footBike},
	"US": {"pedestrian": footBike, "bridleway": footBike, "cycleway": footBike, "path": footMoped},
}

// byLaw returns the modes that may use an untagged way of a kind in a country.
func byLaw(c *country.Country, highway string, usual graph.Modes) graph.Modes {
	if highway == "trunk_link" {
		highway = "trunk"
	}
	if modes, ok := laws[c.Code][highway]; ok {
		return modes
	}
	return usual
}
