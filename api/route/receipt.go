package route

import (
	stdjson "encoding/json"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/wire/json"
)

// receiptable is a body that may ask for a receipt.
type receiptable interface {
	WantsReceipt() bool
	Settings() costing.Settings
}

// receipted adds the receipt to an answer, where the request wants one. note is of the calls
// that made the answer.
func receipted[B any](body []byte, in *edge.Question[B], note *engine.Note) ([]byte, error) {
	b, ok := any(&in.Body).(receiptable)
	if !ok || !b.WantsReceipt() {
		return body, nil
	}
	return addReceipt(body, in.Sent, b.Settings(), note.Engine(in.Region.Engine).Can(), note.Audit())
}

// addReceipt adds the receipt of a request in the native form. The warnings are those of the
// answer, which everybody who read the request has added to.
func addReceipt(body, sent []byte, settings costing.Settings, can engine.Can, audit *engine.Audit) ([]byte, error) {
	var answer struct {
		Warnings []engine.Warning
	}
	if err := stdjson.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	of := settings.Costing()
	return blendReceipt(body, &receipt.Request{
		Names: receipt.Names(sent), Costing: of, Settings: &settings, Option: receipt.Option(of), Can: can, Audit: audit, Warnings: answer.Warnings,
	})
}

func blendReceipt(body []byte, r *receipt.Request) ([]byte, error) {
	return json.Blend(body, []json.Block{{Name: "receipt", Value: receipt.Write(r)}}, nil)
}
