// Package tools has the tools that agents get, one file for each or for a few that belong together. A tool is a
// value: its name, its description, its input type and its function stand in one place. What a tool does with a page
// belongs into package page; what it may do is asked of the mcpserver.Call.
package tools

import (
	"slices"

	"cove/internal/mcpserver"
	"cove/internal/mcpserver/tools/inspect"
	"cove/internal/mcpserver/tools/performance"
	"cove/internal/mcpserver/tools/storage"
)

// All returns all tools: the 35 of the default list, 32 of which devtools agents know by name, and those of the groups
// that a client asks for.
func All() []mcpserver.Tool {
	usual := []mcpserver.Tool{
		askPersonTool(), callPageToolTool(), clickTool(), closePageTool(), dragTool(), emulateTool(),
		evaluateScriptTool(), fillTool(), fillFormTool(),
		inspect.GetConsoleMessageTool(), inspect.GetCSSStylesTool(), inspect.GetNetworkRequestTool(),
		handleDialogTool(), hoverTool(),
		lighthouseAuditTool(), inspect.ListConsoleMessagesTool(), inspect.ListNetworkRequestsTool(),
		listPageToolsTool(), listPagesTool(),
		navigatePageTool(), newPageTool(), performance.AnalyzeInsightTool(), performance.StartTraceTool(),
		performance.StopTraceTool(), pressKeyTool(), resizePageTool(), screencastStartTool(), screencastStopTool(),
		selectPageTool(), heapsnapshotTool(), screenshotTool(), snapshotTool(), typeTextTool(),
		uploadFileTool(), waitForTool(),
	}
	extra := []mcpserver.Tool{
		listDownloadsTool(), savePDFTool(),
		inspect.ExportHARTool(), inspect.ListWebSocketsTool(), inspect.MockRequestsTool(), inspect.SetLogpointsTool(),
		storage.ListCookiesTool(), storage.LoadStateTool(), storage.SaveStateTool(),
		clickAtTool(),
	}

	batch := batchTool(slices.Concat(usual, extra))
	return slices.Concat(usual, []mcpserver.Tool{batch}, extra)
}
