package session

import (
	"context"

	"cove/internal/profile"
)

// AdmitsAutomation says why p cannot be opened for scripts and agents, whatever its state; nil when it can.
func (s *Supervisor) AdmitsAutomation(ctx context.Context, p profile.Profile) error {
	if err := s.access.Automation(ctx); err != nil {
		return err
	}
	return s.access.Agents(ctx, p)
}
