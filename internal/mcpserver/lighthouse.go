package mcpserver

import (
	"context"

	"cove/internal/fault"
)

type lighthouseInput struct {
	onPage
	Mode          string `json:"mode,omitempty" enum:"navigation|snapshot"`
	Device        string `json:"device,omitempty" enum:"desktop|mobile"`
	OutputDirPath string `json:"outputDirPath,omitempty"`
}

var lighthouseAudit = define("lighthouse_audit", "Audit accessibility, SEO and best practices with Lighthouse.",
	func(ctx context.Context, c *call, in lighthouseInput) error {
		return fault.New(fault.Unavailable, "E_NO_LIGHTHOUSE", "Lighthouse is not here yet.", "")
	})
