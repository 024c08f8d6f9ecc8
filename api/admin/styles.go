package admin

import (
	"context"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/styles"
)

// adoption gives styles to other keys.
type adoption struct {
	accounts *account.Accounts
	styles   *styles.Service
}

// AdoptIn selects the key that a style is given to.
type AdoptIn struct {
	ID   string `path:"id" doc:"of the style, without a version"`
	Body struct {
		KeyID string `json:"key_id" format:"uuid" doc:"of the key that is to own it"`
	}
}

// Adopted is a style and its owner.
type Adopted struct {
	ID    string `json:"id"`
	KeyID string `json:"key_id" format:"uuid" doc:"of the key that owns it now"`
}

var adoptDoc = edge.Doc{Summary: "Give a style to another key", Description: "Whoever holds that key may then publish over it; its versions stay as they are.", Tags: []string{"admin"}, Example: `{"key_id":"6f1c0b1e-8f0e-4a52-9c28-0d0f4f2f5a11"}`}

func (h adoption) adopt(ctx context.Context, in *AdoptIn) (*Adopted, error) {
	key, err := h.accounts.Key(ctx, in.Body.KeyID)
	if err != nil {
		return nil, err
	}
	if key.RevokedAt != nil {
		return nil, fault.Invalid(fault.Violation{Location: "key_id", Value: key.ID, Message: "is revoked; a style goes to a key that works"})
	}
	if err := h.styles.TransferOwner(ctx, in.ID, key.ID); err != nil {
		return nil, err
	}
	return &Adopted{in.ID, key.ID}, nil
}
