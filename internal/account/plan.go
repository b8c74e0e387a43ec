package account

import (
	"strings"

	"cove/internal/fault"
)

// Plan is what an account may use.
type Plan string

// The plans.
const (
	Free Plan = "free"
	Solo Plan = "solo"
	Team Plan = "team"
)

// Includes is what a plan includes.
type Includes struct {
	// Automation allows opening profiles for scripts and agents.
	Automation bool
}

// Plans is the only place that says what each plan includes.
var Plans = map[Plan]Includes{
	Free: {Automation: false},
	Solo: {Automation: true},
	Team: {Automation: true},
}

// ParsePlan reads the name of a plan.
func ParsePlan(s string) (Plan, error) {
	p := Plan(strings.ToLower(strings.TrimSpace(s)))
	if _, ok := Plans[p]; !ok {
		return "", fault.Fieldf("plan", "%q is not a plan.", s).
			WithHint(fault.Suggest(s, Free, Solo, Team) + "The plans are free, solo and team.")
	}
	return p, nil
}

// MayAutomate returns nil if the plan allows opening profiles for scripts and agents.
func (a Account) MayAutomate() error {
	if Plans[a.Plan].Automation {
		return nil
	}
	return fault.New(fault.CodePlanAutomation,
		"The "+string(a.Plan)+" plan does not include automation.",
		"Change the plan with: cove account set-plan solo")
}
