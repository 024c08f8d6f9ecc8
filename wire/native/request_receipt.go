package native

// Receipted asks for a receipt.
type Receipted struct {
	Receipt bool `json:"receipt,omitempty" doc:"an extension: adds the receipt block, which reports of every parameter of the request whether it was honoured, clamped, ignored or is unknown"`
}

// WantsReceipt reports whether a receipt is asked for.
func (r Receipted) WantsReceipt() bool { return r.Receipt }
