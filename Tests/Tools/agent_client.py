"""Has the official client of the Model Context Protocol (mcp on PyPI) call tools of `fliptransition serve --stdio`.

    python3 agent_client.py CALLS PROGRAM [ARGUMENT...]

CALLS is a JSON file: {"mode": "auto" or "legacy", "calls": [{"tool": name, "arguments": {}, "cancel": false}]}. A call with
`cancel` is canceled at the first progress. Prints an object: the protocol's version, the tools, and the results with the
progress that was reported.
"""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def called(client, call):
    progress = []
    started = asyncio.Event()

    async def note(done, total, message):
        progress.append([done, total, message])
        started.set()

    task = asyncio.create_task(
        client.call_tool(call["tool"], call.get("arguments", {}), progress_callback=note))
    if call.get("cancel"):
        await asyncio.wait_for(started.wait(), 120)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return {"canceled": True, "progress": progress}
    result = await asyncio.wait_for(task, 300)
    return {
        "isError": result.is_error,
        "structured": result.structured_content,
        "content": [part.model_dump(mode="json", by_alias=True, exclude_none=True) for part in result.content],
        "progress": progress,
    }


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    server = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:])
    async with Client(server, mode=plan["mode"]) as client:
        tools = (await client.list_tools()).tools
        results = [await called(client, call) for call in plan["calls"]]
        print(
            json.dumps(
                {
                    "version": client.session.protocol_version,
                    "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools],
                    "results": results,
                }))


asyncio.run(main())
