package keeper

import (
	"context"

	"cove/internal/answer"
)

// call runs a tool for a command in a shell.
func (a *agents) call(ctx context.Context, in answer.Call) (any, error) {
	if err := a.admits(); err != nil {
		return nil, err
	}
	return a.server.CallTool(ctx, in), nil
}
