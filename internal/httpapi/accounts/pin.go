package accounts

import (
	"context"

	"cove/api"
	"cove/internal/account/pin"
	"cove/internal/httpapi/call"
)

// PIN stores the owner's PIN.
type PIN interface {
	IsSet(ctx context.Context) (bool, error)
	Change(ctx context.Context, pin string) error
	Clear(ctx context.Context) error
}

// ReadPIN answers GET /pin.
func (h *Handlers) ReadPIN(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	set, err := h.PIN.IsSet(c.Context())
	return api.PinData{Set: set, Unlocked: h.Unlocks.Has(c.Window())}, err
}

// SetPIN answers PUT /pin.
func (h *Handlers) SetPIN(c *call.Call) (any, error) {
	var in api.NewPin
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := pin.CheckNew(in.PIN); err != nil {
		return nil, err
	}
	if err := call.First(c.RequirePerson, c.ConfirmAgain); err != nil {
		return nil, err
	}
	h.Unlocks.Forget()
	return api.OK{Success: true}, h.PIN.Change(c.Context(), in.PIN)
}

// ClearPIN answers DELETE /pin.
func (h *Handlers) ClearPIN(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.ConfirmAgain); err != nil {
		return nil, err
	}
	h.Unlocks.Forget()
	return api.OK{Success: true}, h.PIN.Clear(c.Context())
}

// Unlock answers POST /pin/unlock. It lets a window go on without the PIN for a while.
func (h *Handlers) Unlock(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.ConfirmAgain); err != nil {
		return nil, err
	}
	if w := c.Window(); w != "" {
		h.Unlocks.Add(w)
	}
	return api.OK{Success: true}, nil
}
