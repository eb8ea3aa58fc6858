# The inputs of a tree: the shallow figures of a block and of its neighbours.

shallow.{words,link-density,text-density,word-length,capitals,full-stops}[{-1,0,1}]
position[0]

# The kind of content, and whether it continues.
container.{class-header,li}[{-1,0,1}]
sentence-end[-1]
