package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

type (
	Costing  = costing.Costing
	Settings = costing.Settings
)

const (
	Auto         = costing.Auto
	Truck        = costing.Truck
	Bus          = costing.Bus
	MotorScooter = costing.MotorScooter
	Motorcycle   = costing.Motorcycle
	Bicycle      = costing.Bicycle
	Pedestrian   = costing.Pedestrian
)

func ParseSettings(c Costing, raw map[string]json.RawMessage, at string) (s Settings, unknown []string, bad []fault.Violation) {
	return costing.Parse(c, raw, at)
}
