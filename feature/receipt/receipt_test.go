package receipt_test

import (
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/wire/osrm"
)

// TestWarningsOfOptions checks that the warning of an engine, which names an option as a body
// has it, is found for the parameter of a query and the member of a load that set the option.
func TestWarningsOfOptions(t *testing.T) {
	settings, _, bad := costing.Parse(costing.Truck, map[string]json.RawMessage{"height": json.RawMessage("4")}, "")
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	for name, option := range map[string]func(string) costing.Option{"height": osrm.Option, "adr.dimensions.height_m": receipt.Option(costing.Truck), "costing_options.truck.height": receipt.Option(costing.Truck)} {
		for of, want := range map[string]receipt.Status{"costing_options.truck.height": receipt.Ignored, "costing_options.truck.width": receipt.Honoured, "": receipt.Honoured} {
			r := receipt.Write(&receipt.Request{
				Names: []string{name}, Costing: costing.Truck, Settings: &settings, Option: option, Can: engine.Can{Name: "osrm"}, Warnings: []engine.Warning{{Code: engine.WarnOption, Text: "had no effect", Of: of}},
			})
			if got := r.Parameters[0].Status; got != want {
				t.Errorf("%s is %s with a warning of %q, want %s", name, got, of, want)
			}
		}
	}
}
