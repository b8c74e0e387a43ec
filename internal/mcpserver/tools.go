package mcpserver

var all []tool

// Tools are all tools: the 32 of the default list, which devtools agents know by name, and the groups that are asked for.
func Tools() []tool { return all }

// init, because batch refers to the list that it is on.
func init() {
	all = []tool{
		click, closePage, drag, emulate, evaluateScript, fill, fillForm, getConsoleMessage, getCSSStyles, getNetworkRequest, handleDialog, hover,
		lighthouseAudit, listConsoleMessages, listNetworkRequests, listPages, navigatePage, newPage, performanceAnalyzeInsight, performanceStartTrace,
		performanceStopTrace, pressKey, resizePage, screencastStart, screencastStop, selectPage, takeHeapsnapshot, takeScreenshot, takeSnapshot,
		typeText, uploadFile, waitFor,
		batch, listDownloads, savePDF,
	}
}
