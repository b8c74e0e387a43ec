// Package method says which rights each method of the protocol needs in profiles whose policy binds programs.
package method

import (
	"strings"
	"sync"

	"cove/internal/policy"
)

// Kind groups methods whose parameters are checked in the same way.
type Kind int

// The kinds of methods. Plain methods have no check in common.
const (
	Plain Kind = iota
	Emulation
	Download
)

// Rule is what a method needs where the policy binds programs.
type Rule struct {
	// Needs are the rights that the method needs; none if it only reads.
	Needs []policy.Class
	// Anywhere allows the method on a page that is closed to agents: it reveals nothing about the page, or leads away
	// from it.
	Anywhere bool
	Kind     Kind
}

// ChangesNothing reports whether the method only reads: it needs no right, or only the right to read storage.
func (r Rule) ChangesNothing() bool {
	return len(r.Needs) == 0 || (len(r.Needs) == 1 && r.Needs[0] == policy.Storage)
}

// Of returns the rule of a method. listed is false for a method that is in none of the lists below.
func Of(name string) (r Rule, listed bool) {
	r, listed = Rules()[name]
	return r, listed
}

// Rules returns the rule of each method that is in one of the lists below. The map is not to be changed.
var Rules = sync.OnceValue(func() map[string]Rule {
	all := map[string]Rule{}
	add(all, readingMethods, Rule{})
	add(all, setupMethods, Rule{Anywhere: true})
	add(all, emulationMethods, Rule{Anywhere: true, Kind: Emulation})
	add(all, navigatingMethods, Rule{Anywhere: true, Needs: []policy.Class{policy.Act}})
	add(all, actingMethods, Rule{Needs: []policy.Class{policy.Act}})
	add(all, scriptMethods, Rule{Needs: []policy.Class{policy.Act, policy.Script}})
	add(all, storageReadMethods, Rule{Needs: []policy.Class{policy.Storage}})
	add(all, storageWriteMethods, Rule{Needs: []policy.Class{policy.Act, policy.Storage}})
	add(all, uploadMethods, Rule{Needs: []policy.Class{policy.Act, policy.Upload}})
	add(all, pageToolMethods, Rule{Needs: []policy.Class{policy.Act, policy.PageTool}})
	add(all, downloadMethods, Rule{Anywhere: true, Kind: Download})

	return all
})

// add adds every method of a list.
func add(all map[string]Rule, list string, r Rule) {
	domain := ""
	for row := range strings.Lines(list) {
		words := strings.Fields(row)
		if len(words) > 0 && !strings.HasPrefix(row, " ") {
			domain, words = words[0], words[1:]
		}
		for _, name := range words {
			all[domain+"."+name] = r
		}
	}
}

// The lists of methods. A line begins with a domain, and its methods follow. A line that begins with a blank continues
// the line before it. A method that is in no list counts as one that acts, and is refused where the policy binds
// programs.
const (
	// readingMethods change nothing that a page or a person could notice, or only how this client sees the page.
	readingMethods = `
Accessibility getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors getChildAXNodes queryAXTree
Animation getCurrentTime getPlaybackRate
Audits enable
Browser getWindowBounds getWindowForTarget
CSS collectClassNames getBackgroundColors getComputedStyleForNode getInlineStylesForNode getLayersForNode
  getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText
DOM describeNode getAttributes getBoxModel getContentQuads getDocument getFrameOwner getNodeForLocation
  pushNodesByBackendIdsToFrontend querySelector querySelectorAll getTopLayerElements
DOMSnapshot captureSnapshot
IO close read
Log startViolationsReport stopViolationsReport
Memory getDOMCounters
Network getCertificate getCookies getAllCookies getResponseBody getSecurityIsolationStatus searchInResponseBody
  streamResourceContent
Page captureScreenshot getAppManifest getInstallabilityErrors getLayoutMetrics getNavigationHistory
  getPermissionsPolicyState getResourceContent getResourceTree screencastFrameAck searchInResource startScreencast
  stopScreencast
Performance getMetrics
Storage getCookies getUsageAndQuota`

	// setupMethods are the methods that clients call for every page before anybody has asked for anything.
	setupMethods = `
Accessibility enable disable
Animation enable disable
Audits disable
Browser getVersion
Console enable disable clearMessages
CSS enable disable
Debugger disable resume
DOM enable disable
DOMSnapshot enable disable
DOMStorage disable
Emulation canEmulate setDefaultBackgroundColorOverride
Fetch disable
HeapProfiler disable
IndexedDB disable
Inspector enable disable
LayerTree disable
Log enable disable clear
Media disable
Network enable disable setCacheDisabled setAttachDebugStack
Overlay enable disable hideHighlight
Page enable disable createIsolatedWorld getFrameTree setLifecycleEventsEnabled
Performance enable disable setTimeDomain
PerformanceTimeline enable
Preload enable disable
Profiler disable
Runtime enable disable discardConsoleEntries getHeapUsage getIsolateId releaseObject releaseObjectGroup
  runIfWaitingForDebugger setAsyncCallStackDepth
Schema getDomains
Security enable disable
ServiceWorker enable disable
Target attachToTarget detachFromTarget getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets
WebMCP enable disable`

	// emulationMethods are methods that clients also call for every page, but that the page notices: they change its
	// size, its media, its fonts or its focus. If programs have no right to act, or if the page is another agent's, the
	// gate answers them without the browser, so that clients work and the page does not change.
	emulationMethods = `
Emulation clearDeviceMetricsOverride setDeviceMetricsOverride setEmulatedMedia setFocusEmulationEnabled
  setScrollbarsHidden setTouchEmulationEnabled setVisibleSize
Page setFontFamilies`

	// navigatingMethods act and are allowed on a page that is closed to agents: they lead away from it.
	navigatingMethods = `
Browser close
Page bringToFront close navigate navigateToHistoryEntry stopLoading
Target activateTarget closeTarget createBrowserContext createTarget disposeBrowserContext`

	// actingMethods change the page or what a person sees.
	actingMethods = `
Animation releaseAnimations seekAnimations setPaused setPlaybackRate setTiming
Browser cancelDownload setContentsSize setWindowBounds
CSS forcePseudoState
DOM focus scrollIntoViewIfNeeded
DeviceOrientation clearDeviceOrientationOverride setDeviceOrientationOverride
Emulation clearGeolocationOverride clearIdleOverride resetPageScaleFactor setAutoDarkModeOverride
  setCPUThrottlingRate setEmitTouchEventsForMouse setEmulatedVisionDeficiency setGeolocationOverride
  setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setPageScaleFactor setScriptExecutionDisabled
  setTimezoneOverride setUserAgentOverride
Fetch continueRequest failRequest
Input cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
  emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags
  synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture
Network clearAcceptedEncodingsOverride clearBrowserCache emulateNetworkConditions replayXHR setAcceptedEncodings
  setBlockedURLs setBypassServiceWorker setExtraHTTPHeaders setUserAgentOverride
Page addScriptToEvaluateOnNewDocument handleJavaScriptDialog printToPDF reload removeScriptToEvaluateOnNewDocument
  setFontSizes setInterceptFileChooserDialog setWebLifecycleState
ServiceWorker skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`

	// scriptMethods run scripts, change documents, or show content that cannot be searched for secrets.
	scriptMethods = `
CSS addRule createStyleSheet setContainerQueryText setEffectivePropertyValueForNode setKeyframeKey setMediaText
  setRuleSelector setStyleSheetText setStyleTexts setSupportsText startRuleUsageTracking stopRuleUsageTracking
  takeCoverageDelta
Debugger continueToLocation enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource getStackTrace pause
  removeBreakpoint restartFrame searchInContent setAsyncCallStackDepth setBlackboxPatterns setBlackboxedRanges
  setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions
  setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver
DOM copyTo discardSearchResults getFlattenedDocument getNodeStackTraces getOuterHTML getSearchResults
  markUndoableState moveTo performSearch pushNodeByPathToFrontend redo removeAttribute removeNode requestChildNodes
  requestNode resolveNode setAttributeValue setAttributesAsText setNodeName setNodeStackTracesEnabled setNodeValue
  setOuterHTML undo
DOMDebugger getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeXHRBreakpoint setDOMBreakpoint
  setEventListenerBreakpoint setXHRBreakpoint
Fetch continueResponse enable fulfillRequest getResponseBody takeResponseBodyAsStream
HeapProfiler collectGarbage enable getHeapObjectId getObjectByHeapObjectId getSamplingProfile startSampling
  startTrackingHeapObjects stopSampling stopTrackingHeapObjects takeHeapSnapshot
IO resolveBlob
Network getRequestPostData loadNetworkResource
Page captureSnapshot setBypassCSP setDocumentContent
Profiler enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage
  takePreciseCoverage
Runtime addBinding awaitPromise callFunctionOn compileScript evaluate getExceptionDetails getProperties
  globalLexicalScopeNames queryObjects removeBinding runScript terminateExecution
Tracing end getCategories recordClockSyncMarker start`

	// storageReadMethods read what sites have stored.
	storageReadMethods = `
CacheStorage requestCacheNames requestCachedResponse requestEntries
DOMStorage enable getDOMStorageItems
IndexedDB enable getMetadata requestData requestDatabase requestDatabaseNames
Storage getSharedStorageEntries getSharedStorageMetadata getStorageKey getStorageKeyForFrame`

	// storageWriteMethods change what sites have stored.
	storageWriteMethods = `
CacheStorage deleteCache deleteEntry
DOMStorage clear removeDOMStorageItem setDOMStorageItem
IndexedDB clearObjectStore deleteDatabase deleteObjectStoreEntries
Network clearBrowserCookies deleteCookies setCookie setCookies
Storage clearCookies clearDataForOrigin clearDataForStorageKey setCookies`

	// uploadMethods give the page files of this computer.
	uploadMethods = `
DOM setFileInputFiles`

	// pageToolMethods call tools that pages offer.
	pageToolMethods = `
WebMCP cancelInvocation invokeTool`

	// downloadMethods say what the browser does with downloads.
	downloadMethods = `
Browser setDownloadBehavior
Page setDownloadBehavior`
)
