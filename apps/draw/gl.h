/* OpenGL 3.3 core: which functions the drawing code calls, and where they come from.
 *
 * The declarations are libepoxy's: `glClear` is a macro for `epoxy_glClear`, a variable that holds a pointer. The variables are gl.c's own, one for each
 * function of the list, and libepoxy itself is not linked: it would find each function when it is first called, but it does not know OSMesa, ends the
 * process when a library is missing, and takes time to load. Code that makes a context fills the pointers by draw_gl_load.
 *
 * A function that is not listed does not link, and tools/check_gl.py finds a call of it. */
#ifndef DRAW_GL_H
#define DRAW_GL_H

#include <epoxy/gl.h>

#include <stdbool.h>

#define DRAW_GL_FUNCTIONS(X)             \
    /* what this machine has */          \
    X(glGetString)                       \
    X(glGetStringi)                      \
    X(glGetIntegerv)                     \
    X(glGetFloatv)                       \
    X(glGetBooleanv)                     \
    X(glGetError)                        \
    X(glIsEnabled)                       \
    /* state */                          \
    X(glEnable)                          \
    X(glDisable)                         \
    X(glEnablei)                         \
    X(glDisablei)                        \
    X(glHint)                            \
    X(glPixelStorei)                     \
    X(glViewport)                        \
    X(glScissor)                         \
    X(glDepthFunc)                       \
    X(glDepthMask)                       \
    X(glDepthRange)                      \
    X(glColorMask)                       \
    X(glColorMaski)                      \
    X(glBlendFunc)                       \
    X(glBlendFuncSeparate)               \
    X(glBlendEquation)                   \
    X(glBlendEquationSeparate)           \
    X(glBlendColor)                      \
    X(glCullFace)                        \
    X(glFrontFace)                       \
    X(glPolygonMode)                     \
    X(glPolygonOffset)                   \
    X(glLineWidth)                       \
    X(glPointSize)                       \
    X(glProvokingVertex)                 \
    X(glStencilFunc)                     \
    X(glStencilMask)                     \
    X(glStencilOp)                       \
    X(glStencilFuncSeparate)             \
    X(glStencilMaskSeparate)             \
    X(glStencilOpSeparate)               \
    X(glSampleCoverage)                  \
    X(glSampleMaski)                     \
    X(glPrimitiveRestartIndex)           \
    /* shaders and programs */           \
    X(glCreateShader)                    \
    X(glDeleteShader)                    \
    X(glShaderSource)                    \
    X(glCompileShader)                   \
    X(glGetShaderiv)                     \
    X(glGetShaderInfoLog)                \
    X(glCreateProgram)                   \
    X(glDeleteProgram)                   \
    X(glAttachShader)                    \
    X(glDetachShader)                    \
    X(glBindAttribLocation)              \
    X(glBindFragDataLocation)            \
    X(glLinkProgram)                     \
    X(glValidateProgram)                 \
    X(glUseProgram)                      \
    X(glGetProgramiv)                    \
    X(glGetProgramInfoLog)               \
    X(glGetAttribLocation)               \
    X(glGetActiveUniform)                \
    X(glGetActiveAttrib)                 \
    /* uniforms */                       \
    X(glGetUniformLocation)              \
    X(glUniform1i)                       \
    X(glUniform2i)                       \
    X(glUniform3i)                       \
    X(glUniform4i)                       \
    X(glUniform1ui)                      \
    X(glUniform2ui)                      \
    X(glUniform1f)                       \
    X(glUniform2f)                       \
    X(glUniform3f)                       \
    X(glUniform4f)                       \
    X(glUniform1iv)                      \
    X(glUniform1uiv)                     \
    X(glUniform1fv)                      \
    X(glUniform2fv)                      \
    X(glUniform3fv)                      \
    X(glUniform4fv)                      \
    X(glUniformMatrix2fv)                \
    X(glUniformMatrix3fv)                \
    X(glUniformMatrix4fv)                \
    X(glUniformMatrix4x3fv)              \
    X(glUniformMatrix3x4fv)              \
    X(glGetUniformBlockIndex)            \
    X(glUniformBlockBinding)             \
    /* vertex arrays and buffers */      \
    X(glGenVertexArrays)                 \
    X(glDeleteVertexArrays)              \
    X(glBindVertexArray)                 \
    X(glEnableVertexAttribArray)         \
    X(glDisableVertexAttribArray)        \
    X(glVertexAttribPointer)             \
    X(glVertexAttribIPointer)            \
    X(glVertexAttribDivisor)             \
    X(glVertexAttrib1f)                  \
    X(glVertexAttrib2f)                  \
    X(glVertexAttrib3f)                  \
    X(glVertexAttrib4f)                  \
    X(glGenBuffers)                      \
    X(glDeleteBuffers)                   \
    X(glBindBuffer)                      \
    X(glBindBufferBase)                  \
    X(glBindBufferRange)                 \
    X(glBufferData)                      \
    X(glBufferSubData)                   \
    X(glCopyBufferSubData)               \
    X(glMapBuffer)                       \
    X(glMapBufferRange)                  \
    X(glUnmapBuffer)                     \
    X(glGetBufferSubData)                \
    /* drawing */                        \
    X(glDrawArrays)                      \
    X(glDrawElements)                    \
    X(glDrawRangeElements)               \
    X(glDrawElementsBaseVertex)          \
    X(glMultiDrawArrays)                 \
    X(glDrawArraysInstanced)             \
    X(glDrawElementsInstanced)           \
    X(glDrawElementsInstancedBaseVertex) \
    X(glClear)                           \
    X(glClearColor)                      \
    X(glClearDepth)                      \
    X(glClearStencil)                    \
    X(glClearBufferfv)                   \
    X(glClearBufferiv)                   \
    X(glClearBufferuiv)                  \
    X(glClearBufferfi)                   \
    /* textures and samplers */          \
    X(glGenTextures)                     \
    X(glDeleteTextures)                  \
    X(glBindTexture)                     \
    X(glActiveTexture)                   \
    X(glTexImage1D)                      \
    X(glTexImage2D)                      \
    X(glTexImage3D)                      \
    X(glTexSubImage1D)                   \
    X(glTexSubImage2D)                   \
    X(glTexSubImage3D)                   \
    X(glTexImage2DMultisample)           \
    X(glTexBuffer)                       \
    X(glTexParameteri)                   \
    X(glTexParameterf)                   \
    X(glTexParameteriv)                  \
    X(glTexParameterfv)                  \
    X(glGetTexImage)                     \
    X(glGetTexLevelParameteriv)          \
    X(glGenerateMipmap)                  \
    X(glCopyTexSubImage2D)               \
    X(glGenSamplers)                     \
    X(glDeleteSamplers)                  \
    X(glBindSampler)                     \
    X(glSamplerParameteri)               \
    X(glSamplerParameterf)               \
    X(glSamplerParameterfv)              \
    /* framebuffers */                   \
    X(glGenFramebuffers)                 \
    X(glDeleteFramebuffers)              \
    X(glBindFramebuffer)                 \
    X(glCheckFramebufferStatus)          \
    X(glFramebufferRenderbuffer)         \
    X(glFramebufferTexture)              \
    X(glFramebufferTexture2D)            \
    X(glFramebufferTextureLayer)         \
    X(glBlitFramebuffer)                 \
    X(glGenRenderbuffers)                \
    X(glDeleteRenderbuffers)             \
    X(glBindRenderbuffer)                \
    X(glRenderbufferStorage)             \
    X(glRenderbufferStorageMultisample)  \
    X(glDrawBuffer)                      \
    X(glDrawBuffers)                     \
    X(glReadBuffer)                      \
    X(glReadPixels)                      \
    /* time */                           \
    X(glFlush)                           \
    X(glFinish)                          \
    X(glFenceSync)                       \
    X(glDeleteSync)                      \
    X(glClientWaitSync)                  \
    X(glWaitSync)                        \
    X(glGenQueries)                      \
    X(glDeleteQueries)                   \
    X(glBeginQuery)                      \
    X(glEndQuery)                        \
    X(glGetQueryObjectiv)                \
    X(glGetQueryObjectuiv)               \
    X(glGetQueryObjectui64v)             \
    X(glQueryCounter)

/* Any function, as the GetProcAddress of EGL, OSMesa, GLX or GLFW returns it. */
typedef void (*draw_gl_function)(void);

/* Fills the pointers of all functions in the list from the context that is current. Returns the name of the first one that `find` does not
 * know, or NULL. Not for two threads at once; contexts of several kinds in one process need it at every change. */
const char *draw_gl_load(draw_gl_function (*find)(const char *name));

#endif
