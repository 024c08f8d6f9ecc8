package osm_test

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/osm/osmtest"
)

func init() { osm.WriteXML = osmtest.WriteXML }
