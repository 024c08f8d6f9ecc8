package native

// Emissions is what a vehicle gives off.
type Emissions struct {
	VehicleCategory string `json:"vehicle_category" enum:"car,van,minibus,hgv,bus,coach,taxi,phv,motorcycle,motorhome"`
	Fuel            string `json:"fuel" enum:"petrol,diesel,electric,hydrogen,gas"`
	EuroStandard    *int   `json:"euro_standard,omitempty" minimum:"1" maximum:"6" doc:"needed with a fuel that burns; 6 is Euro VI of heavy vehicles"`
}
