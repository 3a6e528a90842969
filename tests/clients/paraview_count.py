"""Run by pvbatch: prints how many frames ParaView finds in a cache, of which it reads the first and the last."""
import sys

from paraview import simple

path = sys.argv[1]
reader = simple.XDMFReader(FileNames=[path]) if path.endswith(".xmf") else simple.OpenDataFile(path)
reader.UpdatePipelineInformation()
steps = list(reader.TimestepValues)
for step in (steps[0], steps[-1]):
    reader.UpdatePipeline(step)
    assert reader.GetDataInformation().GetNumberOfPoints() > 0
print(len(steps))
